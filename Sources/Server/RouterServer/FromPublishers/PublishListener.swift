internal import AdminAPI
internal import Basics
internal import HTTPServing
internal import LibuvLoop
internal import Platform
internal import RouterCore

/// The listener for publishers over HTTP, and for devices without a session, on the router's loop.
///
///     read ─► RequestReader ─► PublishResources ─► publish ─► sessions ─► answers ─► write
///                                              ├─► report ─► router ─────────▲
///                                              └─► lookUp ─► router ─────────┘
///
/// A read costs as much of the tick's work as one of a session, and each request some more; so
/// publishers over HTTP and those with sessions share the loop's time. One connection has one
/// request at a time: what its client sends before the answer is not read.
final class PublishListener {
    unowned let publishing: Publishing
    let core: Core
    let resources: PublishResources
    private let settings: PublishSettings
    /// Its connections, which wait with their input while the router is busy.
    let http: HTTPListener
    /// Reads the bodies that would take the loop too long.
    let bodyReader: WorkQueue<LongBody, ReadBody>
    /// Connections that rest after costly requests, and when the first of them has rested.
    private var resting: [HTTPConnection] = []
    private(set) var restEnd: MonotonicTime?
    /// Lets the input of all connections wait once a tick has had its requests.
    private let gate = InputGate()
    /// The requests of this tick.
    private var requestCount = 0

    /// The address listened on, with the port that the system chose if 0 was asked for.
    var address: ListeningAddress {
        settings.address.with(port: http.port ?? settings.address.port)
    }

    init(
        _ publishing: Publishing,
        settings: PublishSettings,
        resources: PublishResources
    ) throws(HTTPServerError) {
        self.publishing = publishing
        core = publishing.core
        self.settings = settings
        self.resources = resources
        bodyReader = WorkQueue(
            limit: PublishLimits.waitingBodies,
            niceness: JoinableThread.besideTheLoop,
            wake: core.mailbox.wake,
            work: { ReadBody($0) }
        )
        http = try HTTPListener(
            core.loop,
            limits: settings.limits,
            purpose: HTTPServerPurpose(
                " for publishers over HTTP",
                advice: "; --publish HOST:PORT sets another address",
                files: "cert, key and client-ca"
            ),
            security: settings.security,
            onRefusal: settings.onRefusal
        )
        try http.listen(settings.address, owner: self)
    }

    /// Answers every request that is under way with `draining`, and closes everything: the router
    /// is ending. A second call does nothing.
    func close() {
        if http.isStopping { return }
        http.stop()
        for connection in http.all {
            if connection.isWaiting { answer(connection, with: .problem(.draining)) }
            http.close(connection)
        }
        bodyReader.close()
    }

    // MARK: - A busy router

    /// Leaves a connection's input with the kernel, and returns true, if it has used up its share
    /// of the work.
    private func mustRest(_ connection: HTTPConnection, of client: PublishClient) -> Bool {
        if let end = core.router.restEnd(client.work) {
            connection.tcp.pauseReading()
            resting.append(connection)
            restEnd = min(restEnd ?? .max, end)
            return true
        }
        if !core.router.isOverdrawn(client.work, in: client.group) { return false }
        core.router.waits(&client.work, in: client.group)
        http.deferInput(of: connection)
        core.scheduleTick()
        return true
    }

    /// Lets connections that have rested wait for the next tick, as others do.
    private func endRests() {
        guard let end = restEnd, end <= core.now.monotonic else { return }
        restEnd = nil
        let all = resting
        resting = []
        for connection in all {
            if let end = core.router.restEnd(connection.client.work) {
                resting.append(connection)
                restEnd = min(restEnd ?? .max, end)
            } else {
                http.deferInput(of: connection)
            }
        }
    }

    /// Counts a request of this tick.
    func countRequest() {
        requestCount += 1
        if requestCount < PublishLimits.requestsPerTick || !gate.isOpen { return }
        gate.isOpen = false
        core.scheduleTick()
    }

    /// Begins another tick: accepts connections that wait, and resumes those that have waited
    /// longest.
    func resumeDeferred() {
        requestCount = 0
        gate.isOpen = true
        endRests()
        http.beginTick(resuming: PublishLimits.resumedPerTick)
    }
}

extension PublishListener: ListenerOwner {
    /// Accepts a connection, for which another one may have to be closed.
    func listener(_ listener: TCPListener, accepted tcp: TCPConnection) {
        core.router.charge(WorkCost.accept)
        if !http.countAccepted() { core.scheduleTick() }
        defer { core.limitWork() }
        // A peer that is gone already has no address.
        guard !http.isStopping, let address = tcp.remoteSocketAddress else { return tcp.close() }
        let client = PublishClient(of: address.network)
        core.payer = .group(client.group)
        tcp.gate = gate
        http.serve(tcp, from: address, content: client)
    }

    /// Charges a step of a handshake for what it has cost.
    func connection(_ tcp: TCPConnection, tookHandshakeStep duration: Nanoseconds) {
        if let connection = http.connection(of: tcp) {
            core.payer = .group(connection.client.group)
        }
        http.tookHandshakeStep(tcp)
        publishing.reading.chargeHandshake(duration)
    }

    /// Charges messages of TLS itself.
    func connection(_ tcp: TCPConnection, gotSecurityMessages count: Int) {
        core.router.charge(count * WorkCost.newKeys)
    }

    /// Reads requests, unless the connection has used up its share of the work.
    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        http.loop.meter.enter(.http)
        core.router.charge(WorkCost.read + bytes.count / WorkCost.unreadBytes)
        defer { core.limitWork() }
        guard let connection = http.reads(tcp) else { return bytes.count }
        let client = connection.client
        core.pay(.client(client))
        return mustRest(connection, of: client) ? 0 : http.read(bytes, on: connection)
    }

    /// Pauses a connection whose input arrived while the tick's work was used up.
    func connectionHasDeferredInput(_ tcp: TCPConnection) {
        if let connection = http.connection(of: tcp) { http.deferInput(of: connection) }
    }

    /// Closes the connection, or keeps it until its answer has left.
    func connectionEnded(_ tcp: TCPConnection, error: UVError?) {
        if let connection = http.connection(of: tcp) { core.pay(.client(connection.client)) }
        http.ended(tcp, error: error)
    }

    /// Continues with a connection whose client has read its answers.
    func connectionDrained(_ tcp: TCPConnection) {
        guard let connection = http.connection(of: tcp) else { return }
        core.pay(.client(connection.client))
        http.drained(connection)
    }
}
