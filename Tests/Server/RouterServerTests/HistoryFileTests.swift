import Basics
import Logging
import Synchronization
import TestSupport
import Testing

@testable import RouterServer

@Suite("The file of the history")
struct HistoryFileTests {
    private let folder = TestFolder()
    private let log = LogLines()
    private var path: String { folder.path(of: "store.history") }
    private let game = CourseSubject(app: Array("game".utf8))
    private let kind = CourseSubject(app: Array("game".utf8), kind: Array("detail".utf8))

    private func open() throws -> HistoryFile {
        try #require(HistoryFile(ofStore: folder.path(of: "store"), logger: log.logger))
    }

    private func minute(_ number: Int, date: WallTime? = nil) -> HistoryPoint {
        let time = MonotonicTime(rawValue: Int64(number) * 60_000)
        var history = MetricHistory()
        history.record(HistoryReading(time: time - 60_000, date: 0))
        let end = HistoryReading(time: time, date: date ?? WallTime(rawValue: time.rawValue))
        var point = history.record(end)!
        point.counts.pushes = UInt64(number)
        return point
    }

    private func course(_ number: Int) -> CoursePoint {
        var counts = CourseCounts()
        counts.pushes = UInt64(number)
        let end = Int64(number) * 60_000
        let now = Instant(monotonic: MonotonicTime(rawValue: end), wall: WallTime(rawValue: end))
        return CoursePoint(endingAt: now, length: 60_000, counts: counts)
    }

    /// Opens the file, adds something to it, and closes it.
    private func write(_ add: (HistoryFile) -> Void) throws {
        let file = try open()
        add(file)
        file.close()
    }

    private func contents() throws -> HistoryFile.Contents {
        let file = try open()
        defer { file.close() }
        return file.takeContents()
    }

    private func pushes(_ contents: HistoryFile.Contents) -> [UInt64] {
        contents.minutes.map(\.counts.pushes)
    }

    @Test func `What is written is read in the order of its writing`() throws {
        try write { file in
            for number in [3, 1, 2] { file.keep(minute(number)) }
            file.keep(HistoryMark(.start, date: 5))
            file.keep(course(7), of: kind, at: 5)
            file.keep(course(8), of: game, at: 0)
            file.keep(course(9), of: kind, at: 5)
        }
        try write { $0.keep(minute(0)) }
        let found = try contents()
        #expect(pushes(found) == [3, 1, 2, 0])
        #expect(found.marks == [HistoryMark(.start, date: 5)])
        #expect(found.courses.map(\.subject) == [game, kind])
        #expect(found.courses.map(\.place) == [0, 5])
        #expect(found.courses.map { $0.points.map(\.counts.pushes) } == [[8], [7, 9]])
        #expect(log.lines.isEmpty)
    }

    @Test func `Minutes with dates in the future block no later ones, over many starts`() throws {
        let later = WallTime(rawValue: 4_000_000_000_000)
        try write { file in for number in 0..<5 { file.keep(minute(number, date: later)) } }
        for number in 5..<20 { try write { $0.keep(minute(number)) } }
        #expect(pushes(try contents()) == Array(0..<20))
    }

    @Test func `A day is kept, of minutes as of courses, and the oldest make room`() throws {
        for first in stride(from: 0, to: 1_500, by: 60) {
            try write { file in
                for number in first..<first + 60 {
                    file.keep(minute(number))
                    file.keep(course(number), of: game, at: 63)
                }
            }
        }
        let found = try contents()
        #expect(pushes(found) == Array(60..<1_500))
        #expect(found.courses.map { $0.points.map(\.counts.pushes) } == [Array(60..<1_500)])
        #expect(TestFolder.size(path) < 9_300_000)
    }

    @Test func `A subject at the place of another one has none of its minutes`() throws {
        try write { file in for number in 0..<9 { file.keep(course(number), of: game, at: 3) } }
        try write { $0.keep(course(9), of: kind, at: 3) }
        let found = try contents()
        #expect(found.courses.map(\.subject) == [kind])
        #expect(found.courses.map { $0.points.map(\.counts.pushes) } == [[9]])
        #expect(log.lines.isEmpty)
    }

    @Test func `What is damaged is left out, and all else is read`() throws {
        try write { file in
            for number in 0..<9 { file.keep(minute(number)) }
            for number in 0..<9 { file.keep(course(number), of: game, at: 1) }
        }
        var bytes = TestFolder.read(path)
        // Of the header, of two minutes, and all behind the fourth minute of the app.
        for offset in [3, 32 + 3 * 200, 32 + 5 * 200 + 199] { bytes[offset] ^= 1 }
        TestFolder.write(bytes[..<(bytes.count - 5 * 96 - 1)], to: path)
        let found = try contents()
        #expect(pushes(found) == [0, 1, 2, 4, 6, 7, 8])
        #expect(found.courses.map { $0.points.map(\.counts.pushes) } == [[0, 1, 2]])
        #expect(log.lines.count == 1 && log.lines[0].contains("4 of its entries are damaged"))
        // What comes then is written all the same, and the header.
        try write { $0.keep(minute(9)) }
        #expect(pushes(try contents()) == [0, 1, 2, 4, 6, 7, 8, 9])
    }

    @Test func `A file of another format is written anew`() throws {
        TestFolder.write([UInt8](repeating: 7, count: 300_000), to: path)
        #expect(pushes(try contents()).isEmpty)
        #expect(log.lines.count == 1 && log.lines[0].contains("it is no history of this version"))
        try write { $0.keep(minute(1)) }
        #expect(pushes(try contents()) == [1] && log.lines.count == 1)
    }
}

/// What was logged, as lines.
private final class LogLines: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.written.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }
    }
}
