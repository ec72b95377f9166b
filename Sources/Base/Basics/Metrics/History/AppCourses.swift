/// An app or a kind, of which a router keeps the course.
package enum CourseSubject: Hashable, Sendable {
    /// All that an app does.
    case app(AppID)
    /// The widgets of one kind.
    case kind(KindID)
}

/// What an app or a kind has done, and how much of it is stored.
package struct CourseCounts: Equatable, Sendable, BitwiseCopyable {
    /// Pushes that were accepted; of an app alone.
    package var pushes: UInt64 = 0
    /// Widgets that pushes matched; of an app alone.
    package var matched: UInt64 = 0
    /// RELOADs that were sent; of a kind, widgets that were reloaded.
    package var reloads: UInt64 = 0
    /// Decisions that a reload has to wait.
    package var putOff: UInt64 = 0
    /// Frames that were refused; of an app alone.
    package var rejected: UInt64 = 0
    /// Stored devices; of an app alone.
    package var devices: UInt64 = 0
    /// Stored widgets.
    package var widgets: UInt64 = 0

    /// Makes counts that are all 0.
    package init() {}

    /// What has happened since an earlier reading; what is stored is that of the later one.
    func since(_ earlier: CourseCounts) -> CourseCounts {
        var counts = self
        counts.pushes -= min(counts.pushes, earlier.pushes)
        counts.matched -= min(counts.matched, earlier.matched)
        counts.reloads -= min(counts.reloads, earlier.reloads)
        counts.putOff -= min(counts.putOff, earlier.putOff)
        counts.rejected -= min(counts.rejected, earlier.rejected)
        return counts
    }
}

/// A minute of an app or a kind.
package struct CoursePoint: Equatable, Sendable, BitwiseCopyable {
    /// Its end.
    package var date: WallTime
    /// Its length.
    package var length: Milliseconds
    /// What was done in it, and is stored at its end.
    package var counts: CourseCounts
}

/// The course of single apps and kinds: each minute of the last day.
///
/// It is read from counters once a minute; nothing is recorded where they are counted.
package struct AppCourses: ~Copyable {
    /// The most apps and kinds whose course is kept, 140 KB each at most; beyond it, further ones
    /// have none.
    package static var subjectLimit: Int { 64 }
    private static var pointLimit: Int { HistoryResolution.minute.capacity }

    private struct Course {
        var last = CourseCounts()
        var points: [CoursePoint] = []
        /// The index of the oldest point, once there are as many as may be.
        var oldest = 0

        mutating func append(_ point: CoursePoint) {
            if points.count < AppCourses.pointLimit { return points.append(point) }
            points[oldest] = point
            oldest = (oldest + 1) % points.count
        }
    }

    private var courses: [CourseSubject: Course] = [:]

    /// Makes courses without a point.
    package init() {}

    /// Records a minute of apps and kinds, whose counts are those since the start of the process.
    package mutating func record(
        _ readings: [(subject: CourseSubject, counts: CourseCounts)],
        date: WallTime,
        length: Milliseconds
    ) {
        for (subject, counts) in readings
        where courses[subject] != nil || courses.count < Self.subjectLimit {
            var course = courses.removeValue(forKey: subject) ?? Course()
            let counted = counts.since(course.last)
            course.append(CoursePoint(date: date, length: length, counts: counted))
            course.last = counts
            courses[subject] = course
        }
    }

    /// The minutes of an app or a kind that end after a date, oldest first; nil if its course is
    /// not kept.
    package func points(of subject: CourseSubject, after date: WallTime) -> [CoursePoint]? {
        courses[subject].map { course in
            (course.points[course.oldest...] + course.points[..<course.oldest]).filter {
                $0.date > date
            }
        }
    }
}
