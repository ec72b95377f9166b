package import Basics

/// Secrets of a router: drawn anew by each process, and never stored.
package struct RouterSecrets: Sendable {
    /// The key of the hash tables; no decision, answer or record depends on it.
    package var hashKey: HashKey
    /// The names of sessions, made with a key of their own.
    package var sessionNames: SessionNames

    /// Draws secrets that are independent of each other.
    package init(using generator: inout some RandomNumberGenerator) {
        hashKey = HashKey(using: &generator)
        sessionNames = SessionNames(HashKey(using: &generator))
    }

    /// Makes the secrets of a router in a simulation or test: its sessions have the same names in
    /// every run.
    package init(hashKey: HashKey = .ofRuntime, namesFrom seed: UInt64) {
        self.hashKey = hashKey
        var generator = SplitMix64(seed: seed)
        sessionNames = SessionNames(HashKey(using: &generator))
    }
}

/// Names sessions by 128 bits that reveal nothing: not how many sessions there are, not the name of
/// the next one, and nothing about another secret.
///
/// A name is SipHash-2-4 of the session's number under a key that is used for nothing else, so a
/// process need not store it: the session has the same name in WELCOME and in the log. Two numbers
/// have the same name with a probability of 2^-128. Another process gives other names.
package struct SessionNames: Sendable {
    private let key: HashKey

    /// Makes names with a key, which must be used for nothing else.
    package init(_ key: HashKey) { self.key = key }

    /// The name of the session with a number: 32 lower-case hexadecimal digits.
    package func name(of number: UInt64) -> String {
        [key.digest(number &* 2), key.digest(number &* 2 &+ 1)].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
