internal import Foundation
internal import Glibc
internal import Synchronization

/// Ends a run early at SIGINT or SIGTERM. What has been measured until then is reported; another
/// such signal ends the process at once.
enum FleetStop {
    private static let requested = Atomic(false)

    /// Whether the run should end as soon as possible.
    static var isRequested: Bool { requested.load(ordering: .relaxed) }

    fileprivate static func watch() {
        requested.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in
                FleetStop.requested.store(true, ordering: .relaxed)
                FleetStop.restore()
            }
        }
    }

    /// Restores the default effect of the signals.
    fileprivate static func restore() {
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }

    /// Plays a run on a thread of its own, until its end, SIGINT or SIGTERM.
    ///
    /// A fleet blocks its thread while it waits for widget code. If it blocked a thread of the
    /// tasks' pool, it could prevent that code from running.
    static func play<Report: Sendable>(
        _ run: @escaping () throws -> Report
    ) async throws -> Report {
        watch()
        defer { restore() }
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
