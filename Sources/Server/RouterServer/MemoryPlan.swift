package import ReloadModel
internal import Times

/// How much of the machine's memory the router may use: the sum of everything that has a limit in
/// bytes.
///
/// Limits that the operator has not set are chosen so that everything fits:
///
///     memory  1/8 free │ what is always needed │ output 1/16 │ input 1/16 │ stored state: the rest
///
/// Limits that the operator has set must fit as they are. A machine that is too small for what is
/// always needed gets the smallest limits, and a warning.
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
    }

    /// Why the router must not start, as a sentence.
    package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// The limits, what they need together, and how much memory there is.
        package let description: String
    }

    /// Bytes needed however much is stored: the program (64 MiB), bodies of admin requests (128
    /// MiB), pushes over HTTP (64 MiB), matches waiting to be delivered (32 MiB).
    private static var baseBytes: Int { (64 + 128 + 64 + 32) << 20 }
    /// Bytes needed in addition with a store: RocksDB's buffers (256 MiB), and what queues while
    /// the disk fails: journal (512 MiB) and answers (64 MiB).
    private static var store: Int { (256 + 512 + 64) << 20 }
    /// Bytes needed in addition for each connection with TLS, while it is idle; measured by
    /// `reload-lab bench tls`.
    private static var securityBytes: Int { 16 << 10 }
    /// Bytes that can be stored on the smallest machine.
    private static var leastStoredBytes: Int { 64 << 20 }
    /// The most bytes chosen for all output, and likewise for all kept input.
    private static var traffic: Int { 256 << 20 }

    /// The limits after planning: set by the operator or chosen.
    package private(set) var limits: RouterLimits
    /// A sentence that warns the operator although the router starts; nil for none.
    package private(set) var warning: String?

    /// Plans the limits.
    ///
    /// - Parameters:
    ///   - limits: the limits before planning.
    ///   - settings: which of them the operator has set.
    ///   - hasStore: true if there is a store.
    ///   - hasTLS: true if connections have TLS.
    ///   - memory: the available memory; nil if unknown, and the limits then stay as they are.
    /// - Throws: `Problem` if the operator's limits do not fit.
    package init(
        _ limits: RouterLimits,
        set settings: Settings,
        hasStore: Bool,
        hasTLS: Bool = false,
        memory: MachineMemory?
    ) throws(Problem) {
        self.limits = limits
        guard let memory else { return }
        let fixed =
            Self.baseBytes + (hasStore ? Self.store : 0)
            + (hasTLS ? limits.connections * Self.securityBytes : 0)
        let share = Self.wholeMiB(min(Self.traffic, memory.byteCount / 16))
        if !settings.contains(.outputTotal) {
            self.limits.totalOutput = max(share, limits.connectionOutput)
        }
        if !settings.contains(.inputTotal) {
            self.limits.totalInput = max(share, limits.maxBody * 16)
        }
        let traffic = self.limits.totalOutput + self.limits.totalInput
        if !settings.contains(.storedTotal) {
            let rest = Self.wholeMiB(memory.byteCount - memory.byteCount / 8 - fixed - traffic)
            self.limits.storedBytes = min(
                max(rest, Self.leastStoredBytes),
                RouterLimits.storedBytesLimit
            )
        }
        let sum = fixed + traffic + self.limits.storedBytes
        if sum <= memory.byteCount { return }
        let sentence = Self.sentence(self.limits, sum: sum, fixed: fixed, memory: memory)
        // What the operator cannot set is no reason to refuse the start: most of it is needed only
        // while a disk fails.
        let least = min(fixed, memory.byteCount / 2)
        if !settings.isEmpty && traffic + self.limits.storedBytes + least > memory.byteCount {
            throw Problem(description: sentence)
        }
        warning = sentence
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
