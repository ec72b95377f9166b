internal import CaptureFormat
internal import DataStructures

/// What has come on the connections of a tap, in the order in which it came, until it is known what
/// the router has made of it.
///
///     first ─► undecided │ accepted │ refused │ undecided │ … ◄─ next
///
/// Whoever waits for its answer keeps all behind it waiting, up to the limits: beyond, the first one is
/// written as it is, and counted.
struct TapEntries {
    enum Fate {
        case undecided
        case accepted
        case refused
    }

    private struct Entry {
        var time: UInt64
        var connection: UInt32
        var kind: CaptureKind
        var flags: UInt8
        var seq: UInt64
        var body: [UInt8]
        var fate: Fate
    }

    private var entries: ContiguousArray<Entry> = []
    /// Entries at the beginning that are written already.
    private var head = 0
    /// The number of the first entry in `entries`.
    private var firstNumber = 0
    private(set) var byteCount = 0
    /// Entries that were written without an answer.
    private(set) var unansweredCount: UInt64 = 0

    let entryLimit: Int
    let byteLimit: Int

    /// - Parameters:
    ///   - entryLimit: entries that may wait.
    ///   - byteLimit: bytes of their bodies that may.
    init(entryLimit: Int = 1 << 20, byteLimit: Int = 64 << 20) {
        self.entryLimit = entryLimit
        self.byteLimit = byteLimit
    }

    var count: Int { entries.count - head }

    /// Appends what has come.
    ///
    /// - Parameters:
    ///   - record: what it is.
    ///   - fate: what is known of it.
    /// - Returns: its number.
    mutating func append(_ record: CaptureRecord, _ fate: Fate) -> Int {
        entries.append(
            Entry(
                time: record.time,
                connection: record.connection,
                kind: record.kind,
                flags: record.flags,
                seq: record.seq,
                body: record.body.array,
                fate: fate
            )
        )
        byteCount += record.body.count
        return firstNumber + entries.count - 1
    }

    /// Says what has become of an entry; one that is written already stays as it is.
    mutating func decide(_ number: Int, _ fate: Fate) {
        let index = number - firstNumber
        if index >= head { entries[index].fate = fate }
    }

    /// An entry is written or dropped though nobody will say what has become of it.
    mutating func giveUp(_ number: Int) {
        let index = number - firstNumber
        if index < head || entries[index].fate != .undecided { return }
        entries[index].fate = .accepted
        unansweredCount += 1
    }

    /// Moves what is decided, up to the first that is not, to where it is written from.
    mutating func move(to records: inout UnwrittenRecords) {
        while head < entries.count {
            if entries[head].fate == .undecided {
                if count <= entryLimit && byteCount <= byteLimit { break }
                giveUp(firstNumber + head)
            }
            write(entries[head], to: &records)
            byteCount -= entries[head].body.count
            entries[head].body = []
            head += 1
        }
        forgetWritten()
    }

    private func write(_ entry: Entry, to records: inout UnwrittenRecords) {
        if entry.fate != .accepted { return }
        entry.body.withByteView { body in
            records.put(
                CaptureRecord(
                    time: entry.time,
                    connection: entry.connection,
                    entry.kind,
                    flags: entry.flags,
                    seq: entry.seq,
                    body: body
                )
            )
        }
    }

    /// Gives memory back now and then: each entry is moved once, about.
    private mutating func forgetWritten() {
        if head < 1_024 || head * 2 < entries.count { return }
        entries.removeFirst(head)
        firstNumber += head
        head = 0
    }
}
