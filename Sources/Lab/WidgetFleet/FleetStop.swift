internal import Synchronization

/// Ends a run early, from any thread. What has been measured until then is reported.
package final class FleetStop: Sendable {
    private let requested = Atomic(false)

    package init() {}

    package var isRequested: Bool { requested.load(ordering: .relaxed) }

    package func request() { requested.store(true, ordering: .relaxed) }
}
