internal import Synchronization

/// Ends a run early, from any thread. What has been measured until then is reported.
package final class FleetStop: Sendable {
    private let requested = Atomic(false)

    /// A stop that is not requested.
    package init() {}

    /// Whether the run should end as soon as possible.
    package var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// Asks the run to end; may be called on any thread, and more than once.
    package func request() { requested.store(true, ordering: .relaxed) }
}
