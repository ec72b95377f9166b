import Basics
import CaptureFormat
import StoreFormat
import TestSupport
import Testing

@Suite("The records of a capture")
struct CaptureRecordsTests {
    private func read(_ bytes: [UInt8], firstTime: RecordedTime) throws -> [String] {
        try bytes.withByteView { view in
            var reader = CaptureRecordReader(view, firstTime: firstTime)
            var lines: [String] = []
            while let record = try reader.next() {
                lines.append(
                    "\(record.time) \(record.connection) \(record.kind) \(record.flags) "
                        + "\(record.seq) \(record.body.string)"
                )
            }
            return lines
        }
    }

    @Test func `are read as they were written, and times do not go back`() throws {
        var records = CaptureRecords()
        for (time, kind, text) in [
            (70, CaptureKind.hello, #"{"v":1}"#), (75, .push, "{}"), (72, .widgets, "x"),
            (75_000_000, .ended, ""),
        ] {
            text.withByteView { body in
                records.put(
                    CaptureRecord(
                        time: RecordedTime(rawValue: UInt64(time)),
                        connection: 300,
                        kind: kind,
                        flags: 1,
                        seq: 1 << 40,
                        body: body
                    )
                )
            }
        }
        let (count, first, last) = (records.count, records.firstTime, records.lastTime)
        #expect(count == 4 && first == 70 && last == 75_000_000)
        let lines = try read(records.bytes.array, firstTime: first)
        #expect(
            lines == [
                #"70 300 hello 1 1099511627776 {"v":1}"#, "75 300 push 1 1099511627776 {}",
                "75 300 widgets 1 1099511627776 x", "75000000 300 ended 1 1099511627776 ",
            ]
        )
    }

    @Test func `throw wherever they are cut off`() throws {
        var records = CaptureRecords()
        "{}".withByteView {
            records.put(CaptureRecord(time: 5, connection: 1, kind: .push, seq: 1_000, body: $0))
        }
        let bytes = records.bytes.array
        for count in 1..<bytes.count {
            #expect(throws: CaptureError.self) { try read(Array(bytes[..<count]), firstTime: 5) }
        }
    }

    @Test func `are as they were when some are taken back`() throws {
        var records = CaptureRecords()
        func put(_ time: RecordedTime, _ text: String) {
            text.withByteView { body in
                records.put(CaptureRecord(time: time, connection: 1, kind: .push, body: body))
            }
        }
        let empty = records.mark
        put(7, "a")
        records.rewind(to: empty)
        #expect(records.isEmpty && records.firstTime == 0 && records.lastTime == 0)
        put(9, "b")
        let mark = records.mark
        put(900, "c")
        records.rewind(to: mark)
        put(11, "d")
        let (firstTime, count) = (records.firstTime, records.count)
        #expect(firstTime == 9 && count == 2)
        let lines = try read(records.bytes.array, firstTime: firstTime)
        #expect(lines == ["9 1 push 0 0 b", "11 1 push 0 0 d"])
    }
}
