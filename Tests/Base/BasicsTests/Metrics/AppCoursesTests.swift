import TestSupport
import Testing

@testable import Basics

@Suite("The course of apps and kinds")
struct AppCoursesTests {
    private func counts(_ pushes: UInt64, devices: UInt64 = 0) -> CourseCounts {
        var counts = CourseCounts()
        counts.pushes = pushes
        counts.devices = devices
        return counts
    }

    private func subject(_ app: String, kind: String? = nil) -> CourseSubject {
        CourseSubject(app: Array(app.utf8), kind: kind.map { Array($0.utf8) })
    }

    /// The end of a minute; a date is 1,000,000 s later than the time.
    private func end(_ minute: Int64) -> Instant {
        Instant(
            monotonic: MonotonicTime(rawValue: 60_000 * minute),
            wall: WallTime(rawValue: 60_000 * minute + 1_000_000_000)
        )
    }

    /// A point that was kept, with its place and its subject.
    private struct Kept {
        let place: Int
        let subject: CourseSubject
        let point: CoursePoint
    }

    /// Records a minute with as many pushes since the start as each subject has, and returns what
    /// is to be kept.
    @discardableResult
    private func record(
        _ pushes: [(CourseSubject, UInt64)],
        at minute: Int64,
        in courses: inout AppCourses
    ) -> [Kept] {
        var kept: [Kept] = []
        let readings = pushes.map { CourseReading($0.0, counts: counts($0.1, devices: 3)) }
        courses.record(readings, length: 60_000, now: end(minute)) { place, subject, point in
            kept.append(Kept(place: place, subject: subject, point: point))
        }
        return kept
    }

    private func points(
        of subject: CourseSubject,
        in courses: borrowing AppCourses,
        at minute: Int64,
        range: Milliseconds = MetricHistory.longestRange
    ) -> [CoursePoint]? {
        courses.points(of: subject, over: range, at: end(minute))
    }

    @Test func `A minute has what was counted in it, and what is stored at its end`() {
        var courses = AppCourses()
        let (game, kind) = (subject("game"), subject("game", kind: "detail"))
        for (minute, pushes) in [UInt64(5), 5, 17].enumerated() {
            record([(game, pushes), (kind, 0)], at: Int64(minute), in: &courses)
        }
        // The first reading only says where counting begins.
        let found = points(of: game, in: courses, at: 2) ?? []
        #expect(found.map(\.counts.pushes) == [0, 12])
        #expect(found.map(\.counts.devices) == [3, 3])
        #expect(found.map(\.date) == [end(1).wall, end(2).wall])
        #expect(points(of: game, in: courses, at: 2, range: 60_000)?.count == 1)
        #expect(points(of: kind, in: courses, at: 2)?.count == 2)
        #expect(points(of: subject("news"), in: courses, at: 2) == nil)
        #expect(points(of: subject("game", kind: "d"), in: courses, at: 2) == nil)
    }

    @Test func `The oldest minutes make room, and no more subjects are kept than may be`() {
        var courses = AppCourses()
        let subjects = (0...AppCourses.subjectLimit).map { subject("app-\($0)") }
        for minute in 0...1_500 as ClosedRange<Int64> {
            record(subjects.map { ($0, UInt64(minute)) }, at: minute, in: &courses)
        }
        let found = points(of: subjects[0], in: courses, at: 1_500, range: 200_000_000) ?? []
        #expect(found.count == 1_440 && found[0].date == end(61).wall)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.date < $1.date })
        #expect(points(of: subjects.last!, in: courses, at: 1_500) == nil)
        let most = AppCourses.subjectLimit * 1_440 * MemoryLayout<CoursePoint>.stride
        #expect((most...most + most / 8).contains(courses.byteCount))
    }

    @Test func `A subject that is read no more makes room for another one`() {
        var courses = AppCourses()
        let subjects = (0...AppCourses.subjectLimit).map { subject("app-\($0)") }
        let first = record(subjects.dropLast().map { ($0, 0) }, at: 0, in: &courses)
        #expect(first.isEmpty)
        let kept = record(subjects.dropLast().map { ($0, 1) }, at: 1, in: &courses)
        #expect(kept.map(\.place) == Array(0..<AppCourses.subjectLimit))
        record(subjects.dropFirst().map { ($0, 2) }, at: 2, in: &courses)
        let then = record(subjects.dropFirst().map { ($0, 3) }, at: 3, in: &courses)
        #expect(then.last?.place == 0 && then.last?.subject == subjects.last)
        #expect(points(of: subjects[0], in: courses, at: 3) == nil)
        #expect(points(of: subjects.last!, in: courses, at: 3)?.map(\.counts.pushes) == [1])
        #expect(points(of: subjects[1], in: courses, at: 3)?.count == 3)
    }

    @Test func `What was counted while a subject was not read is in no minute`() {
        var courses = AppCourses()
        let (game, news) = (subject("game"), subject("news"))
        for (minute, pushes) in [UInt64(0), 1, 50, 51, 53].enumerated() {
            let isRead = minute != 2
            record([(news, 0)] + (isRead ? [(game, pushes)] : []), at: Int64(minute), in: &courses)
        }
        #expect(points(of: game, in: courses, at: 4)?.map(\.counts.pushes) == [1, 2])
    }

    @Test func `What earlier processes kept comes first, by names and at its place`() {
        var courses = AppCourses()
        let (game, news) = (subject("game"), subject("news"))
        let former = (0..<3).map { minute in
            CoursePoint(endingAt: end(minute), length: 60_000, counts: counts(UInt64(minute)))
        }
        courses.restore(former, of: game, at: 2, now: end(10))
        let first = record([(news, 5), (game, 70)], at: 10, in: &courses)
        let then = record([(news, 5), (game, 71)], at: 11, in: &courses)
        #expect(first.isEmpty && then.map(\.place) == [0, 2])
        let found = points(of: game, in: courses, at: 11) ?? []
        #expect(found.map(\.counts.pushes) == [0, 1, 2, 1])
        #expect(found.map(\.date) == [0, 1, 2, 11].map { end($0).wall })
    }

    @Test func `A point is the same once it was written as numbers, and nonsense is none`() throws {
        var point = CoursePoint(endingAt: end(7), length: 60_000, counts: counts(1, devices: 2))
        for (index, path) in [
            \CourseCounts.pushes, \.matched, \.reloads, \.putOff, \.rejected, \.devices, \.widgets,
        ].enumerated() {
            point.counts[keyPath: path] = UInt64(index) + 100
        }
        var read = try #require(CoursePoint(words: point.words))
        read.end = point.end
        #expect(read == point)
        #expect(CoursePoint(words: []) == nil)
        for index in [7, 8] {
            var words = point.words
            words[index] = .max
            #expect(CoursePoint(words: words) == nil)
        }
    }
}
