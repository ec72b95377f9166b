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

    @Test func `A minute has what was counted in it, and what is stored at its end`() {
        var courses = AppCourses()
        for (minute, pushes) in [UInt64(5), 5, 17].enumerated() {
            courses.record(
                [(.app(0), counts(pushes, devices: 3)), (.kind(0), counts(0))],
                date: WallTime(rawValue: 60_000 * Int64(minute + 1)),
                length: 60_000
            )
        }
        let points = courses.points(of: .app(0), after: 0) ?? []
        #expect(points.map(\.counts.pushes) == [5, 0, 12])
        #expect(points.map(\.counts.devices) == [3, 3, 3])
        #expect(courses.points(of: .app(0), after: 60_000)?.count == 2)
        #expect(courses.points(of: .kind(0), after: 0)?.count == 3)
        #expect(courses.points(of: .app(1), after: 0) == nil)
    }

    @Test func `The oldest minutes make room, and no more subjects are kept than may be`() {
        var courses = AppCourses()
        let subjects = (0...AppCourses.subjectLimit).map { CourseSubject.app(AppID(index: $0)) }
        for minute in 1...1_500 as ClosedRange<Int64> {
            courses.record(
                subjects.map { ($0, counts(UInt64(minute))) },
                date: WallTime(rawValue: 60_000 * minute),
                length: 60_000
            )
        }
        let points = courses.points(of: subjects[0], after: 0) ?? []
        #expect(points.count == 1_440 && points[0].date == 3_660_000)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.date < $1.date })
        #expect(courses.points(of: subjects.last!, after: 0) == nil)
    }
}
