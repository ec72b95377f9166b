internal import CaptureFormat
internal import DataStructures
internal import Times

/// The inputs of all connections of a tap, in order of arrival, until the router's answers are
/// known.
///
///     first ─► undecided │ accepted │ refused │ undecided │ … ◄─ next
///
/// While the first entry has no answer, no later one is written. Beyond `entryLimit` or
/// `byteLimit`, the first entry is written as if it had been accepted, and counted in
/// `unansweredCount`.
struct TapEntries {
    /// What the router did with an entry.
    enum Outcome {
        case undecided
        case accepted
        case refused
    }

    private struct Entry {
        var time: RecordedTime
        var connection: UInt32
        var kind: CaptureKind
        var flags: UInt8
        var seq: UInt64
        var body: [UInt8]
        var outcome: Outcome
    }

    private var entries: ContiguousArray<Entry> = []
    /// The number of entries at the beginning of `entries` that have been written or dropped.
    private var head = 0
    /// The entry number of `entries[0]`, counted from the first entry ever appended.
    private var firstNumber = 0
    /// The bytes in the bodies of waiting entries.
    private(set) var byteCount = 0
    /// How many entries were counted as accepted without an answer.
    private(set) var unansweredCount: UInt64 = 0

    let entryLimit: Int
    let byteLimit: Int

    /// - Parameters:
    ///   - entryLimit: the most entries that may wait.
    ///   - byteLimit: the most bytes in their bodies.
    init(entryLimit: Int = 1 << 20, byteLimit: Int = 64 << 20) {
        self.entryLimit = entryLimit
        self.byteLimit = byteLimit
    }

    /// The number of entries that are waiting.
    var count: Int { entries.count - head }

    /// Appends an input.
    ///
    /// - Parameters:
    ///   - record: the input.
    ///   - outcome: what is known of the router's answer.
    /// - Returns: the number of the entry.
    mutating func append(_ record: CaptureRecord, outcome: Outcome) -> Int {
        entries.append(
            Entry(
                time: record.time,
                connection: record.connection,
                kind: record.kind,
                flags: record.flags,
                seq: record.seq,
                body: record.body.array,
                outcome: outcome
            )
        )
        byteCount += record.body.count
        return firstNumber + entries.count - 1
    }

    /// Records what the router did with an entry; does nothing if it has been written.
    mutating func decide(_ number: Int, as outcome: Outcome) {
        assert(outcome != .undecided, "an answer decides an entry")
        let index = number - firstNumber
        if index < head { return }
        assert(entries[index].outcome == .undecided, "the entry was decided before")
        entries[index].outcome = outcome
    }

    /// Counts an entry as accepted because its answer will never be known; does nothing if it has
    /// been decided.
    mutating func giveUp(_ number: Int) {
        let index = number - firstNumber
        if index < head || entries[index].outcome != .undecided { return }
        entries[index].outcome = .accepted
        unansweredCount += 1
    }

    /// Moves all decided entries before the first undecided one to the records to write.
    mutating func move(to records: inout UnwrittenRecords) {
        while head < entries.count {
            if entries[head].outcome == .undecided {
                if count <= entryLimit && byteCount <= byteLimit { break }
                giveUp(firstNumber + head)
            }
            write(entries[head], to: &records)
            byteCount -= entries[head].body.count
            entries[head].body = []
            head += 1
        }
        assert(byteCount >= 0 && (count > 0 || byteCount == 0), "bodies that wait are not counted")
        forgetWritten()
    }

    private func write(_ entry: Entry, to records: inout UnwrittenRecords) {
        if entry.outcome != .accepted { return }
        entry.body.withByteView { body in
            records.put(
                CaptureRecord(
                    time: entry.time,
                    connection: entry.connection,
                    kind: entry.kind,
                    flags: entry.flags,
                    seq: entry.seq,
                    body: body
                )
            )
        }
    }

    /// Frees the memory of written entries once they are at least half of all: each entry is then
    /// moved about once.
    private mutating func forgetWritten() {
        if head < 1_024 || head * 2 < entries.count { return }
        entries.removeFirst(head)
        firstNumber += head
        head = 0
    }
}
