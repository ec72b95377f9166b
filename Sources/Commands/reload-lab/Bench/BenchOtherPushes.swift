import FrameCodec
import Platform
import Synchronization
import Times

/// Pushes that match no widget, at a fixed rate and from a thread with a loop of its own: what else
/// this process does, such as playing APNs, delays none of them.
final class BenchOtherPushes: Sendable {
    private struct State {
        /// How long pushes took that were acknowledged since the last `takeTimes`.
        var times: [Nanoseconds] = []
        var isStopped = false
        var failure: (any Error)?
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private let shared: Shared
    private let thread: JoinableThread

    /// Begins to push.
    ///
    /// - Parameters:
    ///   - port: the router's port.
    ///   - rate: pushes per second.
    init(port: UInt16, rate: Int) {
        let shared = Shared()
        self.shared = shared
        thread = JoinableThread {
            do {
                try Self.push(to: port, rate: rate, shared: shared)
            } catch {
                shared.state.withLock { $0.failure = error }
            }
        }
    }

    private static func push(to port: UInt16, rate: Int, shared: Shared) throws {
        let bench = try BenchLoop()
        let generator = try LoadGenerator(bench, port: port, wire: .router)
        let index = try generator.connect(1, as: .publisher) { _ in "others" }.lowerBound
        let pushes = try BenchSteadyPushes(generator, connection: index, rate: rate)
        try bench.run(until: "the pushes were stopped", within: 3_600) {
            pushes.observe()
            let times = pushes.takeTimes()
            return shared.state.withLock { state in
                state.times += times
                return state.isStopped
            }
        }
        try pushes.stop()
        try generator.closeAll()
    }

    /// Removes and returns how long the pushes took that were acknowledged since the last call.
    ///
    /// - Throws: why pushing has failed.
    func takeTimes() throws -> [Nanoseconds] {
        try shared.state.withLock { state in
            if let failure = state.failure { throw failure }
            defer { state.times = [] }
            return state.times
        }
    }

    /// Stops pushing, and waits for the ACKs that are missing.
    ///
    /// - Throws: why pushing has failed.
    func stop() throws {
        shared.state.withLock { $0.isStopped = true }
        thread.join()
        _ = try takeTimes()
    }
}
