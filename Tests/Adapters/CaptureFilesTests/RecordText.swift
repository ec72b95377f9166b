import Basics
import CaptureFiles
import CaptureFormat
import TestSupport

/// Appends a record with a text as its body.
func put(
    _ records: inout CaptureRecords,
    _ time: RecordedTime,
    _ connection: UInt32,
    _ kind: CaptureKind,
    seq: UInt64 = 0,
    _ text: String
) {
    text.withByteView {
        records.put(
            CaptureRecord(time: time, connection: connection, kind: kind, seq: seq, body: $0)
        )
    }
}

/// All records, a line each.
func read(_ reader: CaptureReader) throws -> [String] {
    var lines: [String] = []
    try reader.each { record in
        lines.append(
            "\(record.time) \(record.connection) \(record.kind) \(record.flags) \(record.seq) "
                + record.body.string
        )
        return true
    }
    return lines
}

/// A body of 135 bytes that does not compress well.
func filler(_ seed: Int) -> String {
    var random = SplitMix64(seed: UInt64(seed))
    let words = (0..<8).map { _ in String(random.next() >> 4 | 1 << 60, radix: 16) }
    return "{\"x\":\"" + words.joined() + "\"}"
}
