internal import Cryptography
internal import LibuvLoop
internal import Synchronization

/// What other threads want of a `TLSFront`: other certificates, or its end.
final class FrontOrders: Sendable {
    private struct State {
        var security: ServerSecurity?
        var isStopping = false
    }

    private let state = Mutex(State())
    /// Wakes the front's loop.
    let mailbox = LoopMailbox()

    /// Orders other certificates; the newest order counts.
    func replace(_ security: ServerSecurity) {
        state.withLock { $0.security = security }
        mailbox.wake()
    }

    /// Orders the end.
    func stop() {
        state.withLock { $0.isStopping = true }
        mailbox.wake()
    }

    /// Removes and returns the certificates ordered, and whether the front is to stop.
    func take() -> (security: ServerSecurity?, isStopping: Bool) {
        state.withLock { state in
            defer { state.security = nil }
            return (state.security, state.isStopping)
        }
    }
}
