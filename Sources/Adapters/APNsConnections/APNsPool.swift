package import APNsProtocol
package import Basics
package import Cryptography
package import HTTP2
package import LibuvLoop

/// Receives what becomes of pushes. All methods are called on the loop's thread, and never during a
/// call of the pool's.
package protocol APNsPoolOwner: AnyObject {
    /// APNs has answered the push of this number.
    func pool(_ pool: APNsPool, answered number: UInt64, with answer: APNsAnswer)
    /// The push of this number has ended without an answer; APNs may have accepted it nevertheless,
    /// if the ending says so.
    func pool(_ pool: APNsPool, ended number: UInt64, by ending: HTTP2Ending)
    /// The pool may have more room than before.
    func poolHasRoom(_ pool: APNsPool)
    /// A connection could not be opened, or has ended; for the log.
    func pool(_ pool: APNsPool, lostConnectionBecause reason: String)
}

/// Where pushes go: Apple's service, or a mock of it.
package struct APNsTarget {
    /// The host's name, which its certificate must have.
    package var host: String
    /// Its port.
    package var port: UInt16
    /// What TLS sessions begin with; nil for no TLS, with a mock on this machine.
    package var security: TLSClientContext?

    /// A target.
    package init(host: String, port: UInt16 = 443, security: TLSClientContext?) {
        self.host = host
        self.port = port
        self.security = security
    }
}

/// The connections of one key or certificate to one of Apple's services.
///
///     owner's queue ──► send, while there is room ──► the connection with the most room
///                            ◄── answered, ended, poolHasRoom
///
/// It keeps no pushes but those that are under way: what waits is the owner's. The first push opens
/// the first connection; a further one is opened when the owner wants more than the others take.
package final class APNsPool: TimerOwner {
    let loop: Loop
    private(set) var target: APNsTarget
    let limits: APNsPoolLimits
    let now: () -> MonotonicTime
    private let random: () -> UInt64
    weak var owner: (any APNsPoolOwner)?
    private var connections: [APNsConnection] = []
    private var heads: APNsHeads
    private var timer: LoopTimer?
    /// Fires at once when there is something that the owner must not hear during its own call.
    private var soon: LoopTimer?
    /// Connections that have ended, with their last events, and why they were lost, of which the
    /// owner does not know yet.
    private var ended: [(connection: APNsConnection?, reason: String?)] = []
    /// Connections that have failed, one after the other: before a push was accepted on any.
    private var failedCount = 0
    /// When the next connection may be opened.
    private var nextAttempt = MonotonicTime.longAgo
    /// How often they are opened, whatever has become of the others.
    private var pace = ConnectionPace()
    /// True while the owner has more pushes than there was room for.
    private var isWanted = false

    /// How often time is looked at.
    private static var interval: Milliseconds { .milliseconds(500) }

    /// A pool without connections, whose owner is not retained; `random` gives random bits, for
    /// pauses. Throws if the loop cannot make a timer.
    package init(
        _ loop: Loop,
        target: APNsTarget,
        limits: APNsPoolLimits = APNsPoolLimits(),
        owner: any APNsPoolOwner,
        now: @escaping () -> MonotonicTime,
        random: @escaping () -> UInt64
    ) throws(UVError) {
        self.loop = loop
        self.target = target
        self.limits = limits
        self.owner = owner
        self.now = now
        self.random = random
        heads = APNsHeads(host: target.host, token: nil)
        timer = try LoopTimer(loop, owner: self)
        soon = try LoopTimer(loop, owner: self)
        try timer?.start(after: Self.interval, repeating: Self.interval)
    }

    /// Uses another provider token from now on; nil for none.
    package func authorize(_ token: [UInt8]?) { heads = APNsHeads(host: target.host, token: token) }

    /// Begins TLS in another way from the next connection on: because a certificate was replaced.
    package func replaceSecurity(_ security: TLSClientContext) { target.security = security }

    /// The connections that are open, or are being opened.
    package var connectionCount: Int { connections.count }

    /// The pushes that have no answer yet.
    package var openCount: Int { connections.reduce(0) { $0 + $1.openCount } }

    /// How many more pushes the pool takes now.
    package var room: Int { connections.reduce(0) { $0 + $1.room } }

    /// Makes the pool open a connection if it has no room; `poolHasRoom` is called when that takes
    /// pushes, and when it is lost.
    package func wantsRoom() {
        isWanted = true
        openIfWanted()
    }

    /// Sends a push, for which there must be room, by the number that the owner has for it; it
    /// leaves with the next `flush`. Throws `HTTP2Error` if the connection takes no more; there may
    /// be room on another.
    package func send(_ push: APNsPush, number: UInt64) throws {
        var (best, bestRoom): (APNsConnection?, Int) = (nil, 0)
        for connection in connections {
            let room = connection.room
            if room > bestRoom { (best, bestRoom) = (connection, room) }
        }
        guard let best else { preconditionFailure("there is no room for a push") }
        try best.send(heads.head(of: push), payload: push.payload, number: number, now: now())
    }

    /// Passes what was sent to the kernel; called after a number of pushes.
    package func flush() {
        for connection in connections { connection.flush() }
    }

    /// Lets present connections answer, and opens others for what comes: because a key was
    /// replaced, or the app has a new topic.
    package func renewConnections() {
        for connection in connections { connection.drain() }
        failedCount = 0
        nextAttempt = .longAgo
        pace = ConnectionPace()
    }

    /// Closes all. The owner is not called any more: pushes without an answer may have been
    /// accepted.
    package func close() {
        timer?.close()
        soon?.close()
        (timer, soon) = (nil, nil)
        for connection in connections { connection.close() }
        connections = []
        ended = []
    }

    // MARK: - Connections

    private func openIfWanted() {
        let time = now()
        let isOpening = connections.contains {
            $0.phase == .opening || $0.phase == .serving && !$0.isProved
        }
        if timer == nil || !isWanted || room > 0 || isOpening || time < nextAttempt
            || connections.count >= limits.connections || !pace.canOpen(at: time)
        {
            return
        }
        pace.opened(at: time)
        do {
            connections.append(try APNsConnection(self, now: time))
            // The owner asks again if it has still more, or if this one fails.
            isWanted = false
        } catch {
            pauseConnecting()
            report(nil, because: "\(target.host): \(error)")
        }
    }

    /// Reports the end of a connection to the owner, in a call of its own: the events that are left
    /// of it, and why it was lost. Without a connection, it never was one, or is not closed;
    /// without a reason, it was not lost.
    private func report(_ connection: APNsConnection?, because reason: String?) {
        ended.append((connection, reason))
        do throws(UVError) { try soon?.start(after: .zero) } catch {
            preconditionFailure("a loop takes any time: \(error)")
        }
    }

    private func reportEnded() {
        let entries = ended
        ended = []
        for entry in entries {
            if let reason = entry.reason { owner?.pool(self, lostConnectionBecause: reason) }
            entry.connection?.takeEvents()
        }
        if !entries.isEmpty { owner?.poolHasRoom(self) }
    }

    /// The pause after a number of failures in a row.
    func pause(after count: Int) -> Milliseconds {
        let doubled = limits.firstPause.rawValue << Int64(min(count, 20))
        let pause = min(limits.longestPause.rawValue, max(1, doubled))
        return Milliseconds(rawValue: pause - Int64(random() % UInt64(pause / 2 + 1)))
    }

    private func pauseConnecting() {
        nextAttempt = now() + pause(after: failedCount)
        failedCount += 1
    }

    /// A connection takes pushes.
    func connectionServes() { owner?.poolHasRoom(self) }

    /// A connection has accepted a push: nothing is wrong any more.
    func connectionIsProved() { failedCount = 0 }

    /// A connection has answered no push in time; it gets no more.
    func connectionIsSilent() {
        pauseConnecting()
        report(nil, because: "APNs has answered no push in time")
    }

    /// A connection that goes away has answered everything.
    func connectionIsEmpty(_ connection: APNsConnection) {
        if connection.phase == .closed { return }
        connection.close()
        connections.removeAll { $0 === connection }
        if connection.isFailed { pauseConnecting() }
        report(connection, because: nil)
        openIfWanted()
    }

    /// A connection is of no use any more.
    func connectionFailed(_ connection: APNsConnection, because reason: String) {
        if connection.phase == .closed { return }
        connection.close()
        connections.removeAll { $0 === connection }
        pauseConnecting()
        report(connection, because: reason)
    }

    /// Looks at what time has brought.
    package func timerFired(_ timer: LoopTimer) {
        if timer === soon { return reportEnded() }
        let time = now()
        for connection in connections { connection.sweep(now: time) }
        openIfWanted()
    }
}
