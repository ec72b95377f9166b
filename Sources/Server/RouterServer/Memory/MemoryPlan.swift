package import Basics

/// How much of the machine's memory the router may use: the sum of everything that has a limit in
/// bytes.
///
/// Limits that the operator has not set are chosen so that everything fits, also on the smallest
/// machine:
///
///     memory  1/8 free │ program │ shares of the rest, in per cent │ stored state: what is left
///                                  each at most what it ever needs │ connections: a part of it
///
/// Limits that the operator has set must fit as they are.
package struct MemoryPlan: Equatable, Sendable {
    /// The limits that the operator has set.
    package struct Settings: OptionSet, Sendable {
        /// One bit for each limit.
        package let rawValue: UInt8
        /// Makes a set from its bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The limit of stored state, `RouterLimits.storedBytes`.
        package static var storedTotal: Settings { Settings(rawValue: 1) }
        /// The limit of all output, `RouterLimits.totalOutput`.
        package static var outputTotal: Settings { Settings(rawValue: 2) }
        /// The limit of all kept input, `RouterLimits.totalInput`.
        package static var inputTotal: Settings { Settings(rawValue: 4) }
        /// The limit of connections, `RouterLimits.connections`.
        package static var connections: Settings { Settings(rawValue: 8) }
    }

    /// Why the router must not start, as a sentence.
    package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// The limits, what they need together, and how much memory there is.
        package let description: String
    }

    /// The least memory with which the router starts: with less, no share is worth anything.
    package static var least: Int { 128 << 20 }
    /// Bytes of the program: its code, stacks of threads, and tables of fixed sizes.
    private static var program: Int { 64 << 20 }
    /// Bytes of a silent connection; those with TLS are measured by `reload-lab bench tls`.
    private static func connectionBytes(hasTLS: Bool) -> Int { hasTLS ? 17 << 10 : 1 << 10 }
    /// The part of what is left for stored state, in per cent, that connections may take.
    private static func connectionPercent(hasTLS: Bool) -> Int { hasTLS ? 63 : 25 }
    /// Bytes of a kept key of a request over HTTP.
    private static var requestKeyBytes: Int { 45 }

    /// The limits after planning: set by the operator or chosen.
    package private(set) var limits: RouterLimits
    /// What the other parts of the server may take.
    package private(set) var shares = MemoryShares()
    /// A sentence that warns the operator although the router starts; nil for none.
    package private(set) var warning: String?

    /// Plans the limits that the operator has not set; without a figure for the memory, they stay
    /// as they are. It throws if there is too little memory, or if the operator's limits do not
    /// fit.
    package init(
        _ limits: RouterLimits,
        set settings: Settings,
        hasStore: Bool,
        hasTLS: Bool = false,
        memory: MachineMemory?
    ) throws(Problem) {
        self.limits = limits
        guard let memory else { return }
        if memory.byteCount < Self.least {
            throw Problem(
                description:
                    "there are \(memory.byteCount) bytes of memory (\(memory.source)), and the "
                    + "router needs at least \(Self.least); give it more, or set memory to how much "
                    + "there is"
            )
        }
        let rest = memory.byteCount / 8 * 7 - Self.program
        let fixed = Self.program + share(rest, hasStore: hasStore)
        if !settings.contains(.outputTotal) {
            self.limits.totalOutput = max(min(256 << 20, rest / 100 * 8), limits.connectionOutput)
        }
        if !settings.contains(.inputTotal) {
            self.limits.totalInput = max(min(256 << 20, rest / 100 * 8), limits.maxBody * 16)
        }
        let traffic = self.limits.totalOutput + self.limits.totalInput
        // What is stored takes half as much again while a checkpoint is written; the eighth that is
        // left free is for that.
        let left = max(0, rest + Self.program - fixed - traffic)
        let perConnection = Self.connectionBytes(hasTLS: hasTLS)
        if !settings.contains(.connections) {
            let most = left / 100 * Self.connectionPercent(hasTLS: hasTLS) / perConnection
            self.limits.connections = min(limits.connections, max(64, most))
        }
        let connections = self.limits.connections * perConnection
        if !settings.contains(.storedTotal) {
            self.limits.storedBytes = min(
                max(Self.wholeMiB(left - connections), 1 << 20),
                RouterLimits.storedBytesLimit
            )
        }
        let sum = fixed + traffic + connections + self.limits.storedBytes
        if sum <= memory.byteCount { return }
        let sentence = Self.sentence(
            self.limits,
            sum: sum,
            fixed: fixed + connections,
            memory: memory
        )
        // What the operator cannot set is no reason to refuse the start: most of it is needed only
        // while a disk fails.
        let least = min(fixed + connections, memory.byteCount / 2)
        if !settings.isEmpty && traffic + self.limits.storedBytes + least > memory.byteCount {
            throw Problem(description: sentence)
        }
        warning = sentence
    }

    /// Divides memory among the parts that the operator has no settings for, and says what they
    /// take; output and input get some of the rest as well.
    private mutating func share(_ rest: Int, hasStore: Bool) -> Int {
        let percent = rest / 100
        let matches = min(32 << 20, percent * 2)
        limits.fanOutMatches = min(limits.fanOutMatches, matches / 8)
        let keys = min(limits.requestKeys * Self.requestKeyBytes, percent * 3)
        limits.requestKeys = keys / Self.requestKeyBytes
        shares.pushes = min(shares.pushes, percent * 4)
        shares.publishedBodies = min(shares.publishedBodies, percent * 2)
        shares.publishedHeads = min(shares.publishedHeads, percent * 3)
        shares.adminBodies = min(shares.adminBodies, percent * 2)
        shares.journal = min(shares.journal, percent * 20)
        shares.answers = min(shares.answers, percent * 4)
        shares.table = min(shares.table, percent * 13)
        let store = hasStore ? shares.journal + shares.answers + shares.table : 0
        return matches + keys + shares.pushes + 2 * shares.publishedBodies
            + shares.publishedHeads + 2 * shares.adminBodies + store
    }

    /// Rounds down to whole MiB.
    private static func wholeMiB(_ byteCount: Int) -> Int { byteCount & ~(1 << 20 - 1) }

    private static func sentence(
        _ limits: RouterLimits,
        sum: Int,
        fixed: Int,
        memory: MachineMemory
    ) -> String {
        "stored-total (\(limits.storedBytes)), output-total (\(limits.totalOutput)), input-total "
            + "(\(limits.totalInput)) and what the router needs besides (\(fixed)) are \(sum) bytes "
            + "together, and there are \(memory.byteCount) (\(memory.source)); lower the first three, "
            + "or set memory to how much there is"
    }
}
