package import Basics
internal import StoreFormat

/// A run of records as bytes: what a chunk contains before it is compressed.
///
///     record: µs since the record before: varint │ connection: varint │ kind: 8 │ flags: 8 │
///             seq: varint │ bytes of the body: varint │ body
///
/// The first record's time counts from `firstTime`. Times never decrease: a record with an earlier
/// time than the one before is written with that one's.
package struct CaptureRecords: ~Copyable {
    /// The longest body, in bytes; no frame is longer.
    package static var bodyLimit: Int { 1 << 28 }

    private var writer = StoreWriter(capacity: 64 << 10)
    /// The number of records.
    package private(set) var count = 0
    /// The time of the first record; undefined without records.
    package private(set) var firstTime = RecordedTime.zero
    /// The time of the last record; `clear` keeps it. It is zero until a record is appended.
    package private(set) var lastTime = RecordedTime.zero

    /// Makes a run without records.
    package init() {}

    /// Whether there are no records.
    package var isEmpty: Bool { count == 0 }
    /// The length of all records, in bytes.
    package var byteCount: Int { writer.count }
    /// The records as bytes, valid until the next change.
    package var bytes: ByteView { writer.bytes }

    /// Appends a record.
    package mutating func put(_ record: CaptureRecord) {
        let time = max(record.time, lastTime)
        if count == 0 { (firstTime, lastTime) = (time, time) }
        writer.put(varint: time.rawValue - lastTime.rawValue)
        writer.put(varint: UInt64(record.connection))
        writer.put(record.kind.rawValue)
        writer.put(record.flags)
        writer.put(varint: record.seq)
        writer.put(counted: record.body)
        lastTime = time
        count += 1
    }

    /// A position to which `rewind` can return.
    package struct Mark {
        fileprivate var byteCount: Int
        fileprivate var count: Int
        fileprivate var firstTime: RecordedTime
        fileprivate var lastTime: RecordedTime
    }

    /// The present end of the run, to which `rewind` can return.
    package var mark: Mark {
        Mark(byteCount: byteCount, count: count, firstTime: firstTime, lastTime: lastTime)
    }

    /// Removes the records that were appended since `mark`; there must have been no `clear`
    /// meanwhile.
    package mutating func rewind(to mark: Mark) {
        writer.truncate(to: mark.byteCount)
        (count, firstTime, lastTime) = (mark.count, mark.firstTime, mark.lastTime)
    }

    /// Removes all records, and keeps the memory and the last time.
    package mutating func clear() {
        writer.clear()
        count = 0
    }

    /// The memory allocated for records, in bytes.
    package var capacity: Int { writer.capacity }
}

/// Reads records that `CaptureRecords` has written, and trusts nothing in them.
package struct CaptureRecordReader {
    private var reader: StoreReader
    private var time: RecordedTime

    /// The bytes must stay valid while the reader and its records are used; `firstTime` is the time
    /// of the first record.
    package init(_ bytes: ByteView, firstTime: RecordedTime) {
        reader = StoreReader(bytes)
        time = firstTime
    }

    /// The next record; nil after the last one.
    ///
    /// - Throws: `corrupt`.
    package mutating func next() throws(CaptureError) -> CaptureRecord? {
        if reader.isAtEnd { return nil }
        do throws(StoreError) {
            return try read()
        } catch {
            throw CaptureError(.corrupt, message: error.message)
        }
    }

    /// Reads the next record; its time is a distance to the one before.
    private mutating func read() throws(StoreError) -> CaptureRecord {
        let (sum, isTooLarge) = time.rawValue.addingReportingOverflow(try reader.readVarint())
        if isTooLarge || RecordedTime(rawValue: sum) > CaptureHeader.timeLimit {
            throw reader.corrupt("an impossible time")
        }
        time = RecordedTime(rawValue: sum)
        let connection = try reader.readNumber()
        guard let kind = CaptureKind(rawValue: try reader.read(UInt8.self)) else {
            throw reader.corrupt("an unknown kind")
        }
        let flags = try reader.read(UInt8.self)
        let seq = try reader.readVarint()
        let body = try reader.read(raw: reader.readCount(atMost: CaptureRecords.bodyLimit))
        return CaptureRecord(
            time: time,
            connection: connection,
            kind: kind,
            flags: flags,
            seq: seq,
            body: body
        )
    }
}
