import Basics
import CaptureFiles
import CaptureFormat
import Foundation
import StoreFormat
import TestSupport
import Testing

@Suite("A recording that cannot be written")
struct CaptureFailureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Looks again and again, for half a minute.
    private func wait(_ what: String, _ condition: () -> Bool) throws {
        let deadline = Date.now + 60
        while !condition() {
            try #require(Date.now < deadline, "\(what)")
            Thread.sleep(forTimeInterval: 0.001)
        }
    }

    /// Submits one push with a HELLO in front if wanted; whether it was taken.
    private func submit(_ writer: CaptureWriter, second: Int, hello: String? = nil) -> Bool {
        var records = CaptureRecords()
        let time = RecordedTime(rawValue: UInt64(second) * 1_000_000)
        if let hello { put(&records, time, 7, .hello, hello) }
        put(&records, time, 7, .push, seq: UInt64(second), "{}")
        return writer.submit(records)
    }

    @Test func `says so, refuses records, and continues in a new file by itself`() throws {
        var options = CaptureWriterOptions()
        options.fileSecondLimit = 1
        options.gatherInterval = 0
        options.chunkInterval = 0
        options.retryInterval = 1
        let home = folder.path("home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        let writer = try CaptureWriter(
            path: home + "/a",
            options: options,
            recording: 1,
            startedAt: 0
        )
        #expect(submit(writer, second: 0, hello: #"{"v":1}"#))
        try wait("the first chunk") { writer.statistics.chunks == 1 }
        try FileManager.default.removeItem(atPath: home)

        // The next file cannot be made; what made it necessary is lost.
        #expect(submit(writer, second: 2))
        try wait("a failure") { writer.statistics.failure != nil }
        #expect(writer.statistics.failure?.code == .missing)
        #expect(!submit(writer, second: 3, hello: #"{"v":2}"#))
        let failures = writer.statistics.failures
        try wait("another try") { writer.statistics.failures > failures + 3 }

        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        try wait("the end of the failure") { writer.statistics.failure == nil }
        #expect(submit(writer, second: 4))
        try writer.close()
        let path = writer.statistics.path
        let reader = try CaptureReader(paths: [path])
        #expect(reader.header.number == 2)
        // The session that began meanwhile is there, and the push that was taken is counted; the
        // one that was refused, its sender counts.
        let lines = try read(reader)
        #expect(
            lines == [
                #"3000000 7 hello 0 0 {"v":2}"#,
                "3000000 0 lost 0 0 " + String(decoding: CaptureRecord.lostBody(1), as: UTF8.self),
                "4000000 7 push 0 4 {}",
            ]
        )
        #expect(writer.statistics.lost == 1 && writer.statistics.files == 2)
    }

    @Test func `that cannot begin is refused at once`() throws {
        let error = #expect(throws: CaptureError.self) {
            try CaptureWriter(
                path: folder.path("no/a"),
                options: CaptureWriterOptions(),
                recording: 1,
                startedAt: 0
            )
        }
        #expect(error?.code == .missing)
    }

    @Test func `reports at its end what could not be written`() throws {
        var options = CaptureWriterOptions()
        options.fileSecondLimit = 1
        let home = folder.path("home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        let writer = try CaptureWriter(
            path: home + "/a",
            options: options,
            recording: 1,
            startedAt: 0
        )
        #expect(submit(writer, second: 0))
        #expect(submit(writer, second: 5))
        try FileManager.default.removeItem(atPath: home)
        #expect(throws: CaptureError.self) { try writer.close() }
        #expect(writer.statistics.lost >= 1)
    }
}
