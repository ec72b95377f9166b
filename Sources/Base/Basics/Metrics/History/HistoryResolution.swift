/// The lengths of the points that a history keeps, and how many of each.
///
///     second       120 points    the last two minutes
///     tenSeconds   120 points    the last twenty minutes
///     minute     1,440 points    the last day
package enum HistoryResolution: Int, CaseIterable, Sendable {
    /// Points of a second.
    case second = 1
    /// Points of ten seconds, each joined of points of a second.
    case tenSeconds = 10
    /// Points of a minute, each joined of points of ten seconds.
    case minute = 60

    /// The nominal length of a point.
    package var length: Milliseconds { .seconds(Int64(rawValue)) }

    /// The most points that are kept; beyond it, the oldest is dropped.
    package var capacity: Int {
        switch self {
        case .second, .tenSeconds: 120
        case .minute: 1_440
        }
    }

    /// The length from which on a point is complete: a little less than the nominal one, because
    /// timers are not exact, and a point must not have to wait for one more second.
    var completeLength: Milliseconds { length - length / 20 }
}
