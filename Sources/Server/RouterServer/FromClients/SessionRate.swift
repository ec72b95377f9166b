internal import Basics

/// How many sessions begin a second: a count of the present half second, and one of the half second
/// before.
///
///     count  ...  before │ present
///                        ^ start
struct SessionRate {
    /// The length of a count.
    private static var length: Milliseconds { .milliseconds(500) }

    private var start = MonotonicTime.longAgo
    private var present = 0
    private var before = 0

    /// Counts a session that begins.
    mutating func sessionBegins(at now: MonotonicTime) {
        let age = now - start
        if age >= Self.length {
            before = age < Self.length * 2 ? present : 0
            present = 0
            start = now
        }
        present += 1
    }

    /// The greater of both counts, a second; 0 if no session has begun for a second.
    func perSecond(at now: MonotonicTime) -> Int {
        let age = now - start
        if age >= Self.length * 2 { return 0 }
        return 2 * (age < Self.length ? max(before, present) : present)
    }
}
