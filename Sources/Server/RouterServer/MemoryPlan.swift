package import ReloadModel

/// What the router may take of the machine's memory: the sum of all that has a limit in bytes.
///
/// Limits that the operator has not set are chosen so that everything fits:
///
///     memory   1/8 free │ what is always needed │ output 1/16 │ input 1/16 │ what is stored: the rest
///
/// and those that were set must fit as they are. A machine that is too small for what is always needed
/// gets the least limits, and a warning.
package struct MemoryPlan: Equatable, Sendable {
    /// Limits that the operator has set, by the names of their settings.
    package struct Settings: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static var storedTotal: Settings { Settings(rawValue: 1) }
        package static var outputTotal: Settings { Settings(rawValue: 2) }
        package static var inputTotal: Settings { Settings(rawValue: 4) }
    }

    /// Why the router should not start: a sentence.
    package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// What is needed whatever is stored, in bytes: the program (64 MiB), bodies of requests to the
    /// admin server (128), pushes that came over HTTP (64), matches that wait to be handed out (32).
    private static var always: Int { (64 + 128 + 64 + 32) << 20 }
    /// With a store also what RocksDB gathers, and what waits while the disk fails: journal, answers.
    private static var store: Int { (256 + 512 + 64) << 20 }
    /// What can be stored on the smallest machine, in bytes.
    private static var leastStored: Int { 64 << 20 }
    /// The most output and input that is chosen, each in bytes.
    private static var traffic: Int { 256 << 20 }

    /// The limits, with those that were chosen.
    package private(set) var limits: RouterLimits
    /// What to tell the operator although the router starts, if anything: a sentence.
    package private(set) var warning: String?

    /// - Parameters:
    ///   - limits: as they are without this plan.
    ///   - settings: which of them the operator has set.
    ///   - hasStore: whether there is a store.
    ///   - memory: nil if nobody knows.
    /// - Throws: if what was set does not fit.
    package init(
        _ limits: RouterLimits,
        set settings: Settings,
        hasStore: Bool,
        memory: MachineMemory?
    ) throws(Problem) {
        self.limits = limits
        guard let memory else { return }
        let fixed = Self.always + (hasStore ? Self.store : 0)
        let share = Self.whole(min(Self.traffic, memory.byteCount / 16))
        if !settings.contains(.outputTotal) {
            self.limits.totalOutput = max(share, limits.connectionOutput)
        }
        if !settings.contains(.inputTotal) {
            self.limits.totalInput = max(share, limits.maxBody * 16)
        }
        let traffic = self.limits.totalOutput + self.limits.totalInput
        if !settings.contains(.storedTotal) {
            let rest = Self.whole(memory.byteCount - memory.byteCount / 8 - fixed - traffic)
            self.limits.storedBytes = min(
                max(rest, Self.leastStored),
                RouterLimits.storedBytesLimit
            )
        }
        let sum = fixed + traffic + self.limits.storedBytes
        if sum <= memory.byteCount { return }
        let sentence = Self.sentence(self.limits, sum: sum, fixed: fixed, memory)
        // What nobody can set is no reason to refuse: most of it is needed only while a disk fails.
        let least = min(fixed, memory.byteCount / 2)
        if !settings.isEmpty && traffic + self.limits.storedBytes + least > memory.byteCount {
            throw Problem(description: sentence)
        }
        warning = sentence
    }

    /// Whole MiB.
    private static func whole(_ byteCount: Int) -> Int { byteCount & ~(1 << 20 - 1) }

    private static func sentence(
        _ limits: RouterLimits,
        sum: Int,
        fixed: Int,
        _ memory: MachineMemory
    ) -> String {
        "stored-total (\(limits.storedBytes)), output-total (\(limits.totalOutput)), input-total "
            + "(\(limits.totalInput)) and what the router needs besides (\(fixed)) are \(sum) bytes "
            + "together, and there are \(memory.byteCount) (\(memory.source)); lower the first three, "
            + "or say with memory how much there is"
    }
}
