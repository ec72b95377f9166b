import Basics
import Platform
import StoreFormat
import Testing

@testable import DurableStore

/// An engine in memory that does what a test tells it: works, waits, or fails at some step.
///
/// What is lost when it fails follows the contract of `StoreEngine`: the table's unsealed changes
/// always; an append wholly or not at all.
final class ScriptedEngine: StoreEngine, @unchecked Sendable {
    // Unchecked: everything is used under the monitor.
    private let monitor = Monitor()
    private let signal: Signal
    private var state = State()

    struct State {
        /// What was called, in order: "append 1...3", "write 2", "seal" and so on.
        var calls: [String] = []
        /// Called before each step: what it throws, the step throws.
        var fault: (String) -> Fault? = { _ in nil }
        /// So many appends may go on; the next one waits after it has noted that it was called.
        var passes = Int.max
        var isTableBusy = false
        /// How far the log reached when that was noted.
        var notes: [UInt64] = []
        /// So many further notes are put off.
        var lateNotes = 0

        /// What an append has left, by its first position.
        var groups: [UInt64: [UInt8]] = [:]
        var segments: [UInt64] = [1]
        var sealed: [TableKey: [UInt8]] = [:]
        var unsealed: [TableKey: [UInt8]] = [:]
        /// Whether it has failed and was not opened again.
        var isBroken = false
        /// Whether faults of the table leave the log as it is.
        var losesTable = false
        /// Why the table cannot be used.
        var tableFailure: StoreError?
    }

    struct Fault {
        var error: StoreError
        /// Whether the step has been done all the same.
        var isDone = false
    }

    init(_ signal: Signal) {
        self.signal = signal
    }

    func read<Result>(_ body: (State) -> Result) -> Result { monitor.locked { body(state) } }

    /// Changes what the engine is and does; conditions of `Signal.wait` use `read`.
    func with<Result>(_ body: (inout State) -> Result) -> Result {
        let result = monitor.locked {
            defer { monitor.wake() }
            return body(&state)
        }
        signal.notify()
        return result
    }

    var calls: [String] { read { $0.calls } }

    /// Lets the next so many steps with this name fail.
    func fail(_ name: String, times: Int = 1, with error: StoreError, isDone: Bool = false) {
        with { state in
            var left = times
            state.fault = { call in
                guard call.hasPrefix(name), left > 0 else { return nil }
                left -= 1
                return Fault(error: error, isDone: isDone)
            }
        }
    }

    private func step(_ call: String, _ body: (inout State) -> Void) throws(StoreError) {
        let fault = with { state -> Fault? in
            #expect(!state.isBroken, "\(call) without a reopen")
            state.calls.append(call)
            let fault = state.fault(call)
            if fault == nil || fault?.isDone == true { body(&state) }
            let isOfTable = ["write", "begin seal", "seal"].contains { call.hasPrefix($0) }
            if let fault, state.losesTable && isOfTable {
                state.tableFailure = fault.error
                state.unsealed = state.sealed
            } else if fault != nil && call != "open table" {
                state.isBroken = true
            }
            return fault
        }
        if let fault { throw fault.error }
    }

    // MARK: StoreEngine

    func append(_ records: ByteView, from position: UInt64, isSynced: Bool) throws(StoreError) {
        var chain = JournalChain(next: position, parent: nil)
        try chain.follow(records)
        let call = "append \(position)...\(chain.next - 1)\(isSynced ? "" : " unsynced")"
        with { $0.calls.append("begin \(call)") }
        monitor.locked {
            while state.passes == 0 { monitor.wait() }
            state.passes -= 1
        }
        let bytes = records.array
        try step(call) { $0.groups[position] = bytes }
    }

    func replay(
        from position: UInt64,
        body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        var chain = JournalChain(next: position, parent: nil)
        for (_, bytes) in read({ $0.groups }).sorted(by: { $0.key < $1.key }) {
            try bytes.withByteView { view throws(StoreError) in
                let before = chain.next
                try chain.follow(view)
                if chain.next > before { try body(view) }
            }
        }
    }

    func rotate(before position: UInt64) throws(StoreError) {
        try step("rotate \(position)") { state in
            if position > state.segments.last! { state.segments.append(position) }
        }
    }

    func cut(before position: UInt64) throws(StoreError) {
        try step("cut \(position)") { state in
            guard let first = state.segments.last(where: { $0 <= position }) else { return }
            state.segments.removeAll { $0 < first }
            state.groups = state.groups.filter { $0.key >= first }
        }
    }

    func write(_ changes: borrowing TableChanges) throws(StoreError) {
        var puts: [(TableKey, [UInt8]?)] = []
        func add(_ key: ByteView, _ value: ByteView?) throws(StoreError) {
            puts.append((try TableKey(key), value?.array))
        }
        try changes.forEachRecord(add)
        try step("write \(puts.count)") { state in
            for (key, value) in puts { state.unsealed[key] = value }
        }
    }

    func beginSeal() throws(StoreError) { try step("begin seal") { _ in } }

    func seal() throws(StoreError) { try step("seal") { $0.sealed = $0.unsealed } }

    func noteEnd() -> Bool {
        with { state in
            if state.lateNotes > 0 {
                state.lateNotes -= 1
                return false
            }
            state.notes.append(state.groups.keys.max() ?? 0)
            return true
        }
    }

    var isTableBusy: Bool { read { $0.isTableBusy } }

    func scan(_ body: (TableKey, ByteView) throws(StoreError) -> Void) throws(StoreError) {
        for (key, value) in read({ $0.unsealed }).sorted(by: { $0.key < $1.key }) {
            try value.withByteView { view throws(StoreError) in try body(key, view) }
        }
    }

    func reopen() throws(StoreError) {
        with { state in
            state.isBroken = false
            state.unsealed = state.sealed
            state.tableFailure = nil
        }
        try step("reopen") { _ in }
    }

    var tableFailure: StoreError? { read { $0.tableFailure } }

    func reopenTable() throws(StoreError) {
        try step("open table") { _ in }
        with { $0.tableFailure = nil }
    }

    var diskByteCount: UInt64 { read { $0.groups.values.reduce(0) { $0 + UInt64($1.count) } } }
}
