import Basics

@testable import LibuvLoop

/// An owner of handles of every kind, which does in their calls what a test says.
final class LoopParty {
    /// A number of calls, which outlives the owners that count.
    final class Counter {
        var count = 0
    }

    private let calls: Counter
    /// True if the owner closes each handle that calls it.
    private let closes: Bool
    /// Called when a timer fires.
    var whenFired: () -> Void = {}
    /// Called with input; returns how many bytes are consumed.
    var whenReceived: (TCPConnection, ByteView) -> Int = { $1.count }
    /// The connections that were accepted and opened.
    var connections: [TCPConnection] = []

    init(_ calls: Counter = Counter(), closes: Bool = false) {
        self.calls = calls
        self.closes = closes
    }

    private func called(_ close: () -> Void) {
        calls.count += 1
        if closes { close() }
    }

    /// Runs a loop that calls `body` from a timer's call.
    static func fire(on loop: Loop, body: @escaping () -> Void) throws {
        let party = LoopParty()
        party.whenFired = body
        let timer = try LoopTimer(loop, owner: party)
        try timer.start(after: .zero)
        try loop.tick(waits: false)
        try loop.tick(waits: false)
    }
}

extension LoopParty: TimerOwner, HookOwner, SignalOwner, WakeupOwner, PollOwner, LookupOwner {
    func timerFired(_ timer: LoopTimer) {
        whenFired()
        called(timer.close)
    }

    func hookFired(_ hook: LoopHook) { called(hook.close) }
    func signalReceived(_ signal: LoopSignal) { called(signal.close) }
    func wokenUp(_ wakeup: LoopWakeup) { called(wakeup.close) }
    func poll(_ poll: LoopPoll, isReady ready: LoopPoll.Readiness) { called(poll.close) }

    func lookup(_ lookup: AddressLookup, found addresses: Result<[SocketAddress], UVError>) {
        called(lookup.close)
    }
}

extension LoopParty: ListenerOwner {
    func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        if closes {
            connection.close()
        } else {
            connections.append(connection)
            connection.resumeReading()
        }
        called(listener.close)
    }

    func connectionOpened(_ connection: TCPConnection) {
        connections.append(connection)
        called(connection.close)
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        whenReceived(connection, bytes)
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) { connection.close() }
}
