internal import LibuvLoop

/// The owner of a client's polls and timer, which keep it alive until they are closed.
///
/// It refers to the client weakly, so that a client that nothing else refers to ends, and closes
/// them.
final class ClientReference: PollOwner, TimerOwner {
    /// The client; nil before it is initialised, and once it is released.
    weak var client: HTTPClient?

    func poll(_ poll: LoopPoll, isReady ready: LoopPoll.Readiness) {
        client?.process(poll.socket, isReady: ready)
    }

    func timerFired(_ timer: LoopTimer) {
        client?.processTime()
    }
}

@available(*, unavailable)
extension ClientReference: Sendable {}
