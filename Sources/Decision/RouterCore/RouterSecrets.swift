package import DataStructures

/// Secrets of a router: drawn anew by each process, and never stored.
package struct RouterSecrets: Sendable {
    /// Of the hash tables; no decision, answer or record depends on it.
    package var hashKey: HashKey
    package var sessionNames: SessionNames

    /// Draws secrets, each on its own.
    package init(using generator: inout some RandomNumberGenerator) {
        hashKey = HashKey(using: &generator)
        sessionNames = SessionNames(HashKey(using: &generator))
    }

    /// Secrets of a router that is played with: sessions have the same names at every run.
    package init(hashKey: HashKey = .ofRuntime, namesFrom seed: UInt64) {
        self.hashKey = hashKey
        var generator = SplitMix64(seed: seed)
        sessionNames = SessionNames(HashKey(using: &generator))
    }
}

/// Names sessions by 128 bits that tell nothing: neither how many there are, nor what the next is called,
/// nor anything of another secret.
///
/// A name is SipHash-2-4 of the session's number under a key that is used for nothing else, so a process
/// need not keep it: the session has the same name in WELCOME and in the log. Two numbers
/// have the same name with a chance of 2^-128. Another process gives other names.
package struct SessionNames: Sendable {
    private let key: HashKey

    package init(_ key: HashKey) {
        self.key = key
    }

    /// 32 lower-case hexadecimal digits.
    package func name(of number: UInt64) -> String {
        [key.digest(number &* 2), key.digest(number &* 2 &+ 1)].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
