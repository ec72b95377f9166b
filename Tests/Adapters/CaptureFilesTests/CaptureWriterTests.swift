import Basics
import CaptureFiles
import CaptureFormat
import TestSupport
import Testing

@Suite("Writing a recording")
struct CaptureWriterTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func writer(
        _ name: String = "a.rrc",
        _ options: CaptureWriterOptions = CaptureWriterOptions()
    ) throws -> CaptureWriter {
        try CaptureWriter(path: folder.path(name), options: options, recording: 7, startedAt: 1_000)
    }

    @Test func `what was submitted is read again in its order`() throws {
        let writer = try writer()
        var lines: [String] = []
        for batch in 0..<20 {
            var records = CaptureRecords()
            for number in 0..<500 {
                let time = RecordedTime(rawValue: UInt64(batch * 1_000_000 + number))
                let text = "{\"n\":\(batch * 500 + number)}"
                put(&records, time, 1, .push, seq: UInt64(number), text)
                lines.append("\(time) 1 push 0 \(number) \(text)")
            }
            let isTaken = writer.submit(records)
            #expect(isTaken)
        }
        try writer.close()
        #expect(writer.statistics.records == 10_000 && writer.statistics.files == 1)
        #expect(writer.statistics.storedBytes < writer.statistics.rawBytes)
        let reader = try CaptureReader(paths: [folder.path("a.rrc")])
        #expect(try read(reader) == lines)
        #expect(reader.cutOffByteCount == 0 && reader.header.startedAt == 1_000)
    }

    @Test func `files follow each other by size, and each can be read alone`() throws {
        var options = CaptureWriterOptions()
        options.fileByteLimit = 1 << 20
        let writer = try writer("a.rrc", options)
        try submit(writer) {
            put(&$0, 1, 0, .apps, #"{"apps":[]}"#)
            put(&$0, 2, 5, .hello, #"{"v":1,"role":"publisher"}"#)
            put(&$0, 3, 6, .hello, #"{"v":1,"role":"device"}"#)
            put(&$0, 4, 6, .ended, "")
            for number in 0..<30_000 { put(&$0, 5, 5, .push, seq: UInt64(number), filler(number)) }
        }
        try writer.close()
        let names = try folder.names()
        #expect(names.count > 1 && names.last == "a.rrc" && names[0] == "a.000002.rrc")
        let second = try CaptureReader(paths: [folder.path(names[0])])
        #expect(second.header.number == 2 && second.header.firstTime == 5)
        let begin = try read(second).prefix(3)
        #expect(
            begin.dropLast() == [
                #"5 0 apps 0 0 {"apps":[]}"#, #"5 5 hello 0 0 {"v":1,"role":"publisher"}"#,
            ]
        )
        #expect(begin.last?.hasPrefix("5 5 push") == true)

        // Together they are the recording again, once what is known is passed over.
        let all = try CaptureReader(paths: names.map(folder.path))
        #expect(all.missingNumbers.isEmpty)
        var sessions = CaptureSessions()
        var kinds: [CaptureKind: Int] = [:]
        try all.each { record in
            if sessions.take(record) { kinds[record.kind, default: 0] += 1 }
            return true
        }
        #expect(kinds == [.apps: 1, .hello: 2, .ended: 1, .push: 30_000])
    }

    @Test func `files follow each other by age`() throws {
        var options = CaptureWriterOptions()
        options.fileSecondLimit = 10
        options.keepsFiles = 2
        let writer = try writer("a", options)
        try submit(writer) {
            for second in 0..<45 {
                put(&$0, RecordedTime(rawValue: UInt64(second) * 1_000_000), 1, .push, "{}")
            }
        }
        try writer.close()
        #expect(writer.statistics.files == 5)
        #expect(try folder.names() == ["a.000004", "a.000005"], "the oldest are gone")
        let reader = try CaptureReader(paths: [folder.path("a.000005"), folder.path("a.000004")])
        #expect(reader.header.number == 4 && reader.header.firstTime == 30_000_000)
        #expect(try read(reader).count == 15)
    }

    @Test func `a file that is there is not written over`() throws {
        try folder.write([1, 2, 3], "a.rrc")
        try folder.write([4], "a.000002.rrc")
        let writer = try writer()
        #expect(writer.statistics.path == folder.path("a.000003.rrc"))
        try submit(writer) { put(&$0, 1, 1, .push, "{}") }
        try writer.close()
        #expect(try folder.bytes("a.rrc") == [1, 2, 3])
        #expect(try CaptureReader(paths: [folder.path("a.000003.rrc")]).header.number == 1)
    }

    @Test func `what does not fit into the queue is refused, but for its sessions`() throws {
        var options = CaptureWriterOptions()
        options.queueByteLimit = 300
        // Nothing is taken before it is closed.
        options.gatherInterval = 1_000_000
        let writer = try writer("a", options)
        try submit(writer) { put(&$0, 1, 1, .push, filler(1)) }
        var more = CaptureRecords()
        put(&more, 2, 9, .hello, #"{"v":1}"#)
        put(&more, 3, 9, .push, filler(2) + filler(3))
        let isTaken = writer.submit(more)
        #expect(!isTaken)
        #expect(writer.statistics.waitingBytes > 0)
        try submit(writer) { put(&$0, 4, 9, .push, "{}") }
        try writer.close()
        let lines = try read(CaptureReader(paths: [folder.path("a")]))
        #expect(lines.dropFirst() == [#"2 9 hello 0 0 {"v":1}"#, "4 9 push 0 0 {}"])
    }

    @Test func `what is redacted has no value left`() throws {
        var options = CaptureWriterOptions()
        options.isRedacted = true
        let writer = try writer("a", options)
        try submit(writer) { put(&$0, 1, 1, .push, #"{"name":"Frodo"}"#) }
        try writer.close()
        let reader = try CaptureReader(paths: [folder.path("a")])
        #expect(reader.header.isRedacted)
        let line = try read(reader)[0]
        #expect(line.hasPrefix(#"1 1 push 0 0 {"name":"h"#) && !line.contains("Frodo"))
    }

    private func submit(_ writer: CaptureWriter, _ body: (inout CaptureRecords) -> Void) throws {
        var records = CaptureRecords()
        body(&records)
        let isTaken = writer.submit(records)
        try #require(isTaken)
    }
}
