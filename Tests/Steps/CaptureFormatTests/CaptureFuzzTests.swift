import Basics
import CaptureFormat
import StoreFormat
import TestSupport
import Testing

/// Whatever the bytes, they are read or refused; debug builds check every access.
@Suite("Captures of any bytes")
struct CaptureFuzzTests {
    private static let bodies = [
        #"{"v":1,"role":"device","app":"a","device":"d-1"}"#,
        #"{"device":"d-1","pushToken":"t","widgets":[{"id":"w1","kind":"k","configuration":{"a":[1]}}]}"#,
        #"{"device":"d-1","widget":"w1","reload":17,"entries":[1],"policy":{"after":5}}"#,
        #"{"device":"d-1","foreground":true,"media":null,"visible":["w1"]}"#,
        #"{"apps":[{"app":"a","devices":[{"id":"t"}],"kinds":[{"kind":"k","match":{"a":["x"]}}]}]}"#,
        "{}", "", "[", "\u{7f}",
    ]

    /// Some bytes changed, gone or added.
    private func broken(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.below(4) where !bytes.isEmpty {
            let position = random.below(bytes.count)
            switch random.below(3) {
            case 0: bytes.removeSubrange(position..<min(bytes.count, position + random.below(4)))
            case 1: bytes.insert(contentsOf: random.bytes(random.below(4)), at: position)
            default: bytes[position] ^= 1 << UInt8(random.below(8))
            }
        }
        return bytes
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `are records or are refused, and records change no more than their own`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let redaction = CaptureRedaction(key: (seed, 1))
        for _ in 0..<40 {
            var records = CaptureRecords()
            for _ in 0..<random.below(12) {
                broken(Array(random.pick(Self.bodies).utf8), &random).withByteView { body in
                    records.put(
                        CaptureRecord(
                            time: RecordedTime(
                                rawValue: random.next() >> UInt64(4 + random.below(60))
                            ),
                            connection: UInt32(random.below(3)),
                            kind: random.pick(CaptureKind.allCases),
                            flags: UInt8(random.below(4)),
                            seq: random.next() >> UInt64(random.below(64)),
                            body: body
                        )
                    )
                }
            }
            let whole = records.bytes.array
            let firstTime = records.firstTime
            take(whole, firstTime, redaction)
            take(broken(whole, &random), firstTime, redaction)
        }
    }

    /// Lets everything see the records.
    private func take(_ bytes: [UInt8], _ firstTime: RecordedTime, _ redaction: CaptureRedaction) {
        var sessions = CaptureSessions()
        var devices = CaptureDevices()
        var summary = CaptureSummary()
        var scanner = CaptureLine.scanner()
        var lines = CaptureLineReader()
        bytes.withByteView { view in
            var reader = CaptureRecordReader(view, firstTime: firstTime)
            while let record = try? reader.next() {
                sessions.take(record)
                devices.take(record, app: "a", session: Int(record.connection))
                summary.take(record)
                redaction.withRedacted(record) { #expect($0.time == record.time) }
                let line = CaptureLine.text(of: record, using: &scanner)
                let isRead: Void? = try? line.withByteView { try lines.record($0) { _ in } }
                #expect(isRead != nil, "a line of a record is a line")
            }
        }
        #expect(devices.all.allSatisfy { !$0.frames.isEmpty })
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `are headers, chunks and lines or are refused`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var writer = StoreWriter()
        CaptureHeader(recording: 1, startedAt: 2).write(to: &writer)
        let header = writer.bytes.array
        let line = CaptureLine.text(of: CaptureHeader(recording: 1, startedAt: 2))
        let record = Array(
            #"{"time":1,"connection":2,"kind":"push","flags":2,"bytes":"00ff"}"#.utf8
        )
        var lines = CaptureLineReader()
        for _ in 0..<300 {
            broken(header, &random).withByteView { bytes in
                let found = try? CaptureHeader.read(bytes)
                #expect(found == nil || found?.header.recording == 1)
            }
            random.bytes(CaptureChunk.headerByteCount).withByteView { bytes in
                _ = try? CaptureChunk(header: bytes)
            }
            broken(line, &random).withByteView { _ = try? lines.header($0) }
            broken(record, &random).withByteView { _ = try? lines.record($0) { _ in } }
        }
    }
}
