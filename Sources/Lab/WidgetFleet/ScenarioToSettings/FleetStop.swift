internal import Dispatch
internal import Foundation
internal import Glibc
internal import LoadReporting
internal import Synchronization

/// Ends a run early, from any thread. What has been measured until then is reported.
final class FleetStop: Sendable {
    private let requested = Atomic(false)

    /// Whether the run should end as soon as possible.
    var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// Asks the run to end; may be called more than once.
    func request() { requested.store(true, ordering: .relaxed) }
}

extension FleetSettings {
    /// Plays a run on a thread of its own, until its end, SIGINT or SIGTERM.
    ///
    /// A fleet blocks its thread while it waits for widget code. If it blocked a thread of the
    /// tasks' pool, it could prevent that code from running.
    func play(_ run: @escaping () throws -> FleetReport) async throws -> FleetReport {
        let interrupts = InterruptSignal(stop)
        defer { interrupts.cancel() }
        // Safe: only the new thread calls the function, and only once.
        nonisolated(unsafe) let run = run
        return try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                continuation.resume(with: Result { unsafe try run() })
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }
}

/// Turns SIGINT and SIGTERM into a request to stop, so that an interrupted run is still reported.
/// Another such signal ends the process at once.
private final class InterruptSignal {
    private static let signals = [SIGINT, SIGTERM]

    private let sources: [any DispatchSourceSignal]

    init(_ stop: FleetStop) {
        sources = Self.signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                stop.request()
                Self.restore()
            }
            source.resume()
            return source
        }
    }

    /// Restores the default effect of the signals.
    func cancel() {
        for source in sources { source.cancel() }
        Self.restore()
    }

    private static func restore() {
        for number in signals { signal(number, SIG_DFL) }
    }
}
