package import Basics

extension ObjectBody {
    /// A range of the history: points and marks, oldest first, copied on the loop. What is before
    /// `startedAt`, when the process began to serve, was kept by earlier processes.
    package static func history(
        at date: WallTime,
        startedAt: WallTime,
        points: [HistoryPoint],
        marks: [HistoryMark]
    ) -> ObjectBody {
        ObjectBody { json in
            json.member("at", value: date)
            json.member("startedAt", value: startedAt)
            json.list("points", of: points)
            json.list("marks", of: marks)
        }
    }

    /// The course of an app or a kind: `counts` since `startedAt`, when the process began to serve,
    /// and `points`, of which those before were kept by earlier processes; nil if it has none. Of
    /// `notKept` apps and kinds no minutes are kept, because there are too many.
    package static func appHistory(
        at date: WallTime,
        startedAt: WallTime,
        counts: CourseCounts,
        points: [CoursePoint]?,
        notKept: Int
    ) -> ObjectBody {
        ObjectBody { json in
            json.member("at", value: date)
            json.member("startedAt", value: startedAt)
            json.member("counts", value: counts)
            json.member("isKept", value: points != nil || notKept == 0)
            json.member("notKept", value: notKept)
            json.list("points", of: points ?? [])
        }
    }
}
