internal import AdminAPI
internal import Basics

/// The reports of devices over HTTP that have no answer yet.
///
///     waiting ──► applied ──► uncommitted ──► answered
///     for the router          for the disk
///
/// A connection has one request at a time, so `HTTPServerLimits.connections` bounds their number.
struct DeviceReports {
    /// A report that waits until the router is not busy, and its app has a share of the work.
    struct Waiting {
        let report: DeviceReport
        let exchange: PublishExchange
        /// When the report came.
        let begin: MonotonicTime
    }

    /// The answer to a report that was applied.
    struct Applied {
        let exchange: PublishExchange
        let answer: PublishAnswer
        /// When the report was applied.
        let begin: MonotonicTime
        /// The end of the journal up to which it must be committed; known once the journal has the
        /// report.
        var position: UInt64 = 0
    }

    /// Those that wait for the router, oldest first.
    var waiting: [Waiting] = []
    /// Those that were applied since the journal was last submitted.
    var applied: [Applied] = []
    /// Those that await their commit, in the order of their positions.
    var uncommitted: [Applied] = []
    /// When the first app whose reports were too costly has rested; nil if none waits for that.
    var restEnd: MonotonicTime?

    /// Whether every report is answered.
    var isEmpty: Bool { waiting.isEmpty && applied.isEmpty && uncommitted.isEmpty }
}
