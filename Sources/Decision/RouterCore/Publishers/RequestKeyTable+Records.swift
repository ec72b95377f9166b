internal import Basics
internal import FrameCodec
internal import StoreFormat

extension RequestKeyTable.Entry: StateElement {
    static var storedByteCount: Int { 29 }

    func write(to writer: inout StoreWriter) {
        key.write(to: &writer)
        writer.put(since.rawValue)
        writer.put(newer.rawValue)
        writer.put(matched)
        writer.put(counts)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        let key = try RequestKey(reading: &reader)
        let since = RequestKeyTable.KeepTime(rawValue: try reader.read(UInt8.self))
        self = Self(key: key, since: since)
        newer = RequestKeyID(rawValue: try reader.read(UInt32.self))
        matched = try reader.read(UInt32.self)
        counts = try reader.read(UInt32.self)
    }
}

extension RequestKey {
    func write(to writer: inout StoreWriter) {
        writer.put(high)
        writer.put(low)
        writer.put(content)
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        let high = try reader.read(UInt64.self)
        let low = try reader.read(UInt32.self)
        self.init(high: high, low: low, content: try reader.read(UInt32.self))
    }

    /// The bits of its name as hexadecimal digits, for people.
    var text: String {
        let digits = [String(high, radix: 16), String(low, radix: 16)]
        return String(repeating: "0", count: 16 - digits[0].count) + digits[0]
            + String(repeating: "0", count: 8 - digits[1].count) + digits[1]
    }
}

/// The chains of keys, the requests under way and the refused lines, as one record; the keys
/// themselves are pages.
///
///     end of the keys' numbers: 32
///     count │ chains      app │ oldest: 32 │ newest: 32 │ count
///     count │ requests    producer │ key │ app │ firstSeq │ lines │ accepted │ matched
///                         │ has it ended: 8 │ count │ refused lines
///     count │ lists       key │ count │ refused lines
///     refused line        line │ code: 8
extension RequestKeyTable {
    func writeQueues(to writer: inout StoreWriter) {
        writer.put(slots.end)
        let apps = queues.ids.filter { queues[$0].count > 0 }
        writer.put(varint: UInt64(apps.count))
        for app in apps {
            writer.put(number: app)
            writer.put(queues[app].oldest.rawValue)
            writer.put(queues[app].newest.rawValue)
            writer.put(varint: UInt64(queues[app].count))
        }
        writer.put(varint: UInt64(open.count))
        for (producer, request) in open.sorted(by: { $0.key < $1.key }) {
            writer.put(number: producer)
            request.write(to: &writer)
        }
        writer.put(varint: UInt64(rejections.count))
        for (key, refused) in rejections.sorted(by: { $0.key < $1.key }) {
            writer.put(number: key)
            writer.put(refused)
        }
    }
}

extension RequestKeyTable.Open {
    fileprivate func write(to writer: inout StoreWriter) {
        key.write(to: &writer)
        writer.put(number: app)
        writer.put(varint: firstSeq)
        writer.put(varint: UInt64(lines))
        writer.put(varint: UInt64(accepted))
        writer.put(varint: matched)
        writer.put(hasEnded)
        writer.put(rejected)
    }

    /// Reads what `write` has written.
    init(reading reader: inout StoreReader) throws(StoreError) {
        let key = try RequestKey(reading: &reader)
        let app = try reader.readNumber(of: AppID.self)
        self.init(key: key, app: app, firstSeq: try reader.readVarint())
        lines = try reader.readCount(atMost: RequestKeyTable.linesLimit)
        accepted = try reader.readCount(atMost: lines)
        matched = try reader.readVarint()
        hasEnded = try reader.readBool()
        rejected = try reader.readRefusedLines()
    }
}

extension StoreWriter {
    fileprivate mutating func put(_ refused: ContiguousArray<RequestKeyTable.Rejection>) {
        put(varint: UInt64(refused.count))
        for rejection in refused {
            put(varint: UInt64(rejection.line))
            put(rejection.code.storedNumber)
        }
    }
}

extension StoreReader {
    /// Reads refused lines, whose numbers must rise.
    mutating func readRefusedLines() throws(StoreError)
        -> ContiguousArray<RequestKeyTable.Rejection>
    {
        var refused: ContiguousArray<RequestKeyTable.Rejection> = []
        for _ in 0..<(try readCount(atMost: RequestKeyTable.rejectionsPerKey)) {
            let line = UInt16(try readCount(atMost: RequestKeyTable.linesLimit))
            guard line > refused.last?.line ?? 0,
                let code = ErrorCode(storedNumber: try read(UInt8.self))
            else { throw corrupt("the refused lines of a request cannot be") }
            refused.append(RequestKeyTable.Rejection(line: line, code: code))
        }
        return refused
    }
}
