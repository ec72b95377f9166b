internal import Basics
internal import Cryptography
internal import HTTPMessages
internal import LibuvLoop
internal import Platform

/// The state of the server's thread: its loop, its listener and what other threads want of it.
///
///     HTTPListener ─► HTTPHandler ─► HTTPExchange ─► AnswerWriter ─► HTTPListener
///
/// Belongs to the thread of its loop. It has no reference to its `HTTPServer`, so that the server's
/// thread never releases the last one and then waits for itself.
final class HTTPService {
    let http: HTTPListener
    let handler: any HTTPHandler
    let mailbox: HTTPMailbox
    private var hook: LoopHook?
    /// Looks for connections that have been silent for too long, while there are any; at the end,
    /// limits the wait.
    private var timer: LoopTimer?
    private var wakeup: LoopWakeup?
    /// Writes the answers, one at a time.
    var writer = AnswerWriter()
    private var date = HTTPDate(0)
    /// What the handshakes of this iteration have cost.
    private var handshakeWork = Nanoseconds.zero

    /// Binds and listens; clients are served when the loop runs. If it throws, the loop must run
    /// once to close what was opened.
    init(
        _ http: HTTPListener,
        address: ListeningAddress,
        handler: any HTTPHandler,
        mailbox: HTTPMailbox
    ) throws(HTTPServerError) {
        self.http = http
        self.handler = handler
        self.mailbox = mailbox
        do throws(HTTPServerError) {
            try openHandles(at: address)
            try http.listen(address, owner: self)
        } catch {
            close()
            throw error
        }
    }

    private func openHandles(at address: ListeningAddress) throws(HTTPServerError) {
        let loop = http.loop
        do throws(UVError) {
            wakeup = try LoopWakeup(loop, mailbox: mailbox.bell, owner: self)
            hook = try LoopHook(loop, owner: self)
            timer = try LoopTimer(loop, owner: self)
        } catch {
            throw http.purpose.error(error, at: address)
        }
    }

    /// The port listened on.
    var port: UInt16 { http.port ?? 0 }

    /// The present date.
    func today() -> HTTPDate {
        date.set(WallTime.now.rawValue / 1_000)
        return date
    }

    /// Serves until `HTTPMailbox.stop`.
    func run() {
        do throws(UVError) {
            try http.loop.run()
            try http.loop.close()
        } catch {
            preconditionFailure("the loop of an HTTP server: \(error)")
        }
        // What was left after the end keeps nothing alive.
        _ = mailbox.take()
    }

    /// Closes everything, which ends the loop.
    private func close() {
        http.stop()
        for connection in http.all { http.close(connection) }
        hook?.close()
        timer?.close()
        wakeup?.close()
    }

    private func stop() {
        if http.isStopping { return }
        http.stop()
        startTimer(after: http.limits.stopTime)
        for connection in http.all {
            switch connection.phase {
            case .handshake: http.close(connection)
            case .answering, .ending, .closed: break
            case .head, .judging, .body, .discarding, .waiting, .streaming:
                connection.served.drop()
                http.end(connection)
            }
        }
        if http.count == 0 { close() }
    }

    private func startTimer(after delay: Milliseconds, repeating interval: Milliseconds = .zero) {
        do throws(UVError) {
            try timer?.start(after: delay, repeating: interval)
        } catch {
            preconditionFailure("a loop takes any time: \(error)")
        }
    }
}

extension HTTPService: ListenerOwner {
    func listener(_ listener: TCPListener, accepted tcp: TCPConnection) {
        http.countAccepted()
        // A peer that is gone already has no address.
        guard !http.isStopping, let address = tcp.remoteSocketAddress else { return tcp.close() }
        if http.count == 0 { startTimer(after: .seconds(1), repeating: .seconds(1)) }
        http.serve(tcp, from: address, content: ServedClient())
    }

    func connection(_ tcp: TCPConnection, tookHandshakeStep duration: Nanoseconds) {
        handshakeWork += duration
        if handshakeWork >= http.limits.handshakeWork { http.loop.takesHandshakes = false }
        http.tookHandshakeStep(tcp)
    }

    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        guard let connection = http.reads(tcp) else { return bytes.count }
        return http.read(bytes, on: connection)
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) { http.ended(tcp, error: error) }

    func connectionDrained(_ tcp: TCPConnection) {
        guard let connection = http.connection(of: tcp) else { return }
        if case .answering = connection.phase { return continueAnswer(of: connection) }
        if case .streaming = connection.phase, let exchange = connection.served.exchange {
            return proceed(connection, with: exchange)
        }
        http.drained(connection)
    }
}

extension HTTPService: HookOwner, TimerOwner, WakeupOwner {
    func hookFired(_ hook: LoopHook) {
        http.settle()
        handshakeWork = .zero
        http.loop.takesHandshakes = true
        http.beginTick()
    }

    func timerFired(_ timer: LoopTimer) {
        if http.isStopping { close() } else { http.sweep() }
    }

    func wokenUp(_ wakeup: LoopWakeup) {
        let content = mailbox.take()
        for exchange in content.exchanges {
            guard let connection = http.connection(of: exchange.request),
                connection.served.exchange === exchange
            else { continue }
            proceed(connection, with: exchange)
        }
        // They were tried before they were ordered; if memory is short now, the old ones stay.
        if let security = content.security { try? http.replace(security) }
        if content.isStopping { stop() }
    }
}

/// What the listener reports of connections.
extension HTTPService {
    func willClose(_ connection: HTTPConnection) {
        connection.served.drop()
        if http.count > 0 { return }
        if http.isStopping { close() } else { timer?.stop() }
    }

    func hasSearched(_ count: Int, for displaced: HTTPConnection?) {
        if displaced?.stage == .open { handler.displaced(1) }
    }
}
