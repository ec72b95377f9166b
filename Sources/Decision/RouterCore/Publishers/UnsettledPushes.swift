internal import Basics
internal import StoreFormat

/// The pushes of the producers whose home a partition is, from the moment when it has accepted them
/// until all partitions have evaluated them: what it forwards again after a crash.
///
///     number    settled │ settled + 1 …………… last │
///     bytes             │ producer, app, push │ … │
///
/// It is part of the state, and of checkpoints, so the journal in front of a checkpoint can be cut
/// off, whatever is not settled.
struct UnsettledPushes: ~Copyable {
    /// The number of the push that was accepted last; 0 before the first.
    private(set) var last: UInt64 = 0
    /// All partitions have evaluated the pushes up to this one.
    private(set) var settled: UInt64 = 0
    private var writer = StoreWriter(capacity: 64)
    /// Where the push after `settled` begins.
    private var start = 0

    /// The bytes of the kept pushes; valid until the next change.
    var bytes: ByteView { writer.bytes.slice(start, to: writer.count) }

    /// Whether this many further bytes of pushes may be kept.
    func hasRoom(for byteCount: Int) -> Bool {
        writer.count - start + byteCount <= RouterLimits.unsettledBytes
    }

    /// Numbers and keeps a push.
    mutating func append(_ push: AcceptedPush, of producer: ProducerID, app: AppID) {
        writer.put(number: producer)
        writer.put(number: app)
        push.write(to: &writer)
        last += 1
    }

    /// Drops the pushes up to a number, the producer of each of which `body` gets.
    mutating func settle(upTo number: UInt64, body: (ProducerID) -> Void) {
        assert(number > settled && number <= last, "settles pushes that are not kept")
        var entries = UnsettledPushReader(bytes, after: settled)
        while settled < number, let entry = entries.next() {
            body(entry.producer)
            settled = entry.number
        }
        start = writer.count - entries.remainingCount
        if start == writer.count {
            // The memory of a short list is kept.
            if writer.capacity > Self.keptByteCount { writer = StoreWriter(capacity: 64) }
            writer.clear()
            start = 0
        } else if start > writer.count / 2 {
            writer.removeFirst(start)
            start = 0
        }
    }

    /// Reads the pushes after a number, which must not be settled in part.
    func entries(after number: UInt64) -> UnsettledPushReader {
        precondition(number >= settled && number <= last, "pushes that are not kept")
        var entries = UnsettledPushReader(bytes, after: settled)
        while entries.number < number { _ = entries.next() }
        return entries
    }

    /// The memory that an empty list keeps, in bytes.
    private static var keptByteCount: Int { 1 << 20 }

    // MARK: - The table

    func write(to writer: inout StoreWriter) {
        writer.put(last)
        writer.put(settled)
        writer.put(counted: bytes)
    }

    /// Reads what `write(to:)` has written.
    mutating func restore(_ reader: inout StoreReader) throws(StoreError) {
        last = try reader.read(UInt64.self)
        settled = try reader.read(UInt64.self)
        if settled > last || last > 1 << 62 { throw reader.corrupt("an impossible number") }
        let bytes = try reader.readCounted()
        var entries = UnsettledPushReader(bytes, after: settled)
        while entries.remainingCount > 0 { _ = try entries.read() }
        if entries.number != last {
            throw reader.corrupt("push \(entries.number) is the last that is kept, of \(last)")
        }
        writer.put(raw: bytes)
    }

    /// Checks that each push is kept that is not settled.
    func checkInvariants() throws(InvariantViolation) {
        var entries = UnsettledPushReader(bytes, after: settled)
        while entries.next() != nil {}
        try checkInvariant(
            entries.number == last && settled <= last,
            of: "UnsettledPushes",
            otherwise: "pushes \(settled) to \(entries.number) are kept, of \(last)"
        )
    }
}

/// Reads the pushes that a home keeps, one after the other.
struct UnsettledPushReader {
    /// A push with its number.
    struct Entry {
        var number: UInt64
        var producer: ProducerID
        var app: AppID
        var push: AcceptedPush
    }

    private var reader: StoreReader
    /// The number of the push that was read last.
    private(set) var number: UInt64

    init(_ bytes: ByteView, after number: UInt64) {
        reader = StoreReader(bytes)
        self.number = number
    }

    /// The bytes that are still to be read.
    var remainingCount: Int { reader.remainingCount }

    /// The next push of a list that was written here; nil at its end.
    mutating func next() -> Entry? {
        if reader.isAtEnd { return nil }
        do throws(StoreError) {
            return try read()
        } catch {
            preconditionFailure("a push that is kept cannot be read: \(error)")
        }
    }

    /// Reads the next push, which may be damaged.
    mutating func read() throws(StoreError) -> Entry {
        let producer = try reader.readNumber(of: ProducerID.self)
        let app = try reader.readNumber(of: AppID.self)
        let push = try AcceptedPush(reading: &reader)
        number += 1
        return Entry(number: number, producer: producer, app: app, push: push)
    }
}
