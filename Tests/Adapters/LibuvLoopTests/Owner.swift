import Basics
import LibuvLoop

/// An owner of handles of every kind.
final class Owner {
    private let stage: OwnerStage

    init(_ stage: OwnerStage) {
        self.stage = stage
    }

    /// Counts a call, and closes the handle if the test wants that.
    private func called(_ close: () -> Void) {
        stage.callCount += 1
        if stage.closesInCallback { close() }
    }
}

extension Owner: TimerOwner, HookOwner, SignalOwner, WakeupOwner, PollOwner, LookupOwner {
    func timerFired(_ timer: LoopTimer) { called(timer.close) }
    func hookFired(_ hook: LoopHook) { called(hook.close) }
    func signalReceived(_ signal: LoopSignal) { called(signal.close) }
    func wokenUp(_ wakeup: LoopWakeup) { called(wakeup.close) }
    func poll(_ poll: LoopPoll, isReady ready: LoopPoll.Readiness) { called(poll.close) }

    func lookup(_ lookup: AddressLookup, found addresses: Result<[SocketAddress], UVError>) {
        called(lookup.close)
    }
}

extension Owner: ListenerOwner {
    func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        connection.close()
        called(listener.close)
    }

    func connectionOpened(_ connection: TCPConnection) { called(connection.close) }
    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int { bytes.count }
    func connectionEnded(_ connection: TCPConnection, error: UVError?) {}
    func connectionClosed(_ connection: TCPConnection) { stage.closedCount += 1 }
}
