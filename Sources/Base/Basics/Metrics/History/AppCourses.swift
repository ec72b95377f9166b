/// The course of single apps and kinds: each minute of the last day.
///
///     readings, once a minute ─► by subject, its place ─► points of a minute
///                                        └─► the same place in a file
///
/// It is read from counters once a minute; nothing is recorded where they are counted.
package struct AppCourses: ~Copyable {
    /// The most apps and kinds whose course is kept, 115 KB each; beyond it, further ones have
    /// none, and how many these are is said. One that is read no more makes room for another one.
    package static var subjectLimit: Int { 64 }
    private static var pointLimit: Int { HistoryResolution.minute.capacity }

    private struct Course {
        let subject: CourseSubject
        /// The last reading; nil if there was none in this process.
        var last: CourseCounts?
        /// The number of the round of the last reading.
        var round: UInt64 = 0
        var points: [CoursePoint] = []
        /// The index of the oldest point, once there are as many as may be.
        var oldest = 0

        init(_ subject: CourseSubject) {
            self.subject = subject
            points.reserveCapacity(AppCourses.pointLimit)
        }

        mutating func append(_ point: CoursePoint) {
            if points.count < AppCourses.pointLimit { return points.append(point) }
            points[oldest] = point
            oldest = (oldest + 1) % points.count
        }
    }

    /// By place.
    private var courses: [Course?] = []
    private var places: [CourseSubject: Int] = [:]
    private var round: UInt64 = 0

    /// Makes courses without a point.
    package init() {}

    /// Its memory in bytes, without that of names.
    package var byteCount: Int {
        courses.reduce(0) {
            $0 + ($1?.points.capacity ?? 0) * MemoryLayout<CoursePoint>.stride
        }
    }

    /// Adds what earlier processes have kept of a subject, in the order in which they have, at a
    /// place of its own. Call it before anything is recorded.
    package mutating func restore(
        _ points: [CoursePoint],
        of subject: CourseSubject,
        at place: Int,
        now: Instant
    ) {
        assert(round == 0, "it has begun")
        if places[subject] != nil { return }
        while courses.count <= place { courses.append(nil) }
        var course = Course(subject)
        for point in points.recalled(at: now) { course.append(point) }
        courses[place] = course
        places[subject] = place
    }

    /// Records a minute up to now of subjects, at most as many as may be. Of one that was not read
    /// a minute ago, this only says where counting begins. Each point is passed to `keep` with its
    /// place and its subject.
    package mutating func record(
        _ readings: [CourseReading],
        length: Milliseconds,
        now: Instant,
        keep: (Int, CourseSubject, CoursePoint) -> Void
    ) {
        round += 1
        for reading in readings.prefix(Self.subjectLimit) {
            let place = place(of: reading.subject, among: readings)
            var course = courses[place].take()!
            if let last = course.last, course.round == round - 1, length > .zero {
                let counts = reading.counts.since(last)
                let point = CoursePoint(endingAt: now, length: length, counts: counts)
                course.append(point)
                keep(place, reading.subject, point)
            }
            course.last = reading.counts
            course.round = round
            courses[place] = course
        }
    }

    /// The place of a subject; one that has none yet gets a free one, or that of the one that was
    /// read last the longest ago of those that are read no more.
    private mutating func place(of subject: CourseSubject, among readings: [CourseReading]) -> Int {
        if let place = places[subject] { return place }
        let place: Int
        if let free = courses.firstIndex(where: { $0 == nil }) {
            place = free
        } else if courses.count < Self.subjectLimit {
            place = courses.count
            courses.append(nil)
        } else {
            let read = Set(readings.map(\.subject))
            place = courses.indices.filter { !read.contains(courses[$0]!.subject) }
                .min { courses[$0]!.round < courses[$1]!.round }!
            places[courses[place]!.subject] = nil
        }
        courses[place] = Course(subject)
        places[subject] = place
        return place
    }

    /// The minutes of an app or a kind that end in a range up to now, oldest first, with their
    /// dates by the clock as it is now; nil if its course is not kept.
    package func points(
        of subject: CourseSubject,
        over range: Milliseconds,
        at now: Instant
    ) -> [CoursePoint]? {
        guard let place = places[subject], let course = courses[place] else { return nil }
        return (course.points[course.oldest...] + course.points[..<course.oldest])
            .filter { $0.end > now.monotonic - range }.map { $0.withDate(at: now) }
    }
}
