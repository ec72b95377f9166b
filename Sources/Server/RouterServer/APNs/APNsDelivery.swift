package import APNsConnections
internal import APNsProtocol
internal import Basics
package import Cryptography
internal import HTTP2
internal import LibuvLoop
internal import Logging
internal import Platform
internal import RouterCore

/// Delivery to devices that have no session: by pushes over Apple's push service, APNs.
///
///     serve ─► router.apnsPushEnded, of what has ended since the tick before
///           ─► router.makeAPNsPush, while there is room ─► APNsService ─► APNsPool
///     the tick submits its records
///     flush ─► APNsPool ─► APNs ─► answered, ended ─► a later `serve`
///
/// A tick of the server calls both, with the router; nothing here calls the server. What APNs
/// answers between ticks is kept, and its mailbox makes a tick follow.
///
/// What waits is the router's state. Here are only the pushes that are under way, which end with
/// the process: the router sends them again after its next start.
package final class APNsDelivery {
    /// What it needs of the program.
    package struct Settings {
        /// Where pushes to apps of the App Store go.
        package var production: APNsTarget
        /// Where pushes to apps that Xcode has installed go.
        package var sandbox: APNsTarget
        /// The folder of the keys' files, for the log; nil if none is named.
        package var folder: String?
        /// Reads the file of the key with an id; the error is a sentence.
        package var readKey: (_ id: String) throws -> ProviderKey
        /// Reads the file of the certificate with a name; the error is a sentence.
        package var readCertificate: (_ name: String) throws -> APNsCertificate

        /// Where pushes of an environment go.
        func target(of environment: APNsEnvironment) -> APNsTarget {
            environment == .production ? production : sandbox
        }

        /// Settings of delivery by APNs.
        package init(
            production: APNsTarget,
            sandbox: APNsTarget,
            folder: String?,
            readKey: @escaping (_ id: String) throws -> ProviderKey,
            readCertificate: @escaping (_ name: String) throws -> APNsCertificate
        ) {
            self.production = production
            self.sandbox = sandbox
            self.folder = folder
            self.readKey = readKey
            self.readCertificate = readCertificate
        }
    }

    /// A push that has ended, which the router does not know yet.
    struct EndedPush {
        enum Ending {
            case answered(APNsAnswer)
            case unanswered(HTTP2Ending)
            /// It was not sent; the router makes it again after a pause.
            case postponed(Milliseconds)
        }

        let push: PushesUnderWay.Entry
        let ending: Ending
    }

    let loop: Loop
    let settings: Settings
    let logger: Logger
    /// Makes a tick follow.
    let mailbox: LoopMailbox
    let limits = APNsDeliveryLimits()
    /// The services of all keys.
    var services: [APNsService] = []
    /// The lanes of the apps in force, by `APNsLaneID.index`.
    var lanes: [APNsLane?] = []
    /// The services that have something to send in this tick.
    private var waiting: [APNsService] = []
    /// The services whose pushes of this tick have not left yet.
    private var unflushed: [APNsService] = []
    /// Counts ticks: each begins with another service.
    private var tickCount = 0
    /// True if a service may be of no use any more.
    var mayHaveUnused = false
    var underWay = PushesUnderWay()
    var ended: [EndedPush] = []
    /// Who pays for the present callback of the loop: the app of the first push that has ended in
    /// it; nil if none has.
    var payer: WorkGroup?
    var metrics = APNsMetrics()
    /// Random bits of this process, the first half of each `apns-id`.
    private let idStart: UInt64
    /// True while pushes wait for room.
    var hasWaiting = false
    private var isClosed = false

    /// The most file descriptors that it needs.
    package static var descriptors: Int { APNsDeliveryLimits().connections }

    init(_ loop: Loop, settings: Settings, logger: Logger, mailbox: LoopMailbox) {
        self.loop = loop
        self.settings = settings
        self.logger = logger
        self.mailbox = mailbox
        idStart = Self.randomBits()
    }

    /// Random bits, for pauses and ids.
    static func randomBits() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// What a push is called in APNs: random bits of this process, and the router's number.
    ///
    /// A push that is sent again after a crash has another id, though it may have the same number.
    /// The second half of the id is the number, but for its two highest bits, so that a push can be
    /// followed from the router's log to Apple's.
    func id(of number: UInt64) -> APNsID { APNsID(idStart, and: number) }

    /// True while pushes have no answer, or the router does not know it; a drain waits for them.
    var isBusy: Bool { underWay.count > 0 || !ended.isEmpty }

    // MARK: - The tick

    /// Reports what has become of pushes, and makes others, which leave with `flush`; once a tick,
    /// after the router's step, so that the records of the tick have both.
    func serve(_ router: inout Router, at now: Instant, isDraining: Bool) {
        if isClosed { return }
        assert(unflushed.isEmpty, "pushes of the tick before have not left")
        reportEnded(to: &router, at: now)
        closeUnused()
        if isDraining { return }
        hasWaiting = false
        findWaiting(in: router, at: now)
        var left = limits.pushesPerTick
        for offset in waiting.indices {
            let service = waiting[(tickCount + offset) % waiting.count]
            left -= makePushes(of: service, most: left, router: &router, now: now)
        }
        tickCount &+= 1
        waiting.removeAll(keepingCapacity: true)
        if left == 0 { mailbox.wake() }
    }

    /// Passes the pushes of this tick to the kernel, once the records of the tick are submitted: no
    /// push leaves of which the journal will not know.
    func flush(_ router: inout Router) {
        for service in unflushed {
            router.countEstimates()
            let begin = loop.meter.mark
            service.pool?.flush()
            service.charge(loop.meter.time(since: begin), in: &router)
            service.removePayers()
        }
        unflushed.removeAll(keepingCapacity: true)
    }

    /// Finds the services that have something to send, and their lanes. It looks at no others, so
    /// that they cost nothing, however many there are.
    private func findWaiting(in router: borrowing Router, at now: Instant) {
        router.forEachLaneWithAPNsPushes { id in
            guard id.index < lanes.count, let lane = lanes[id.index],
                lane.service.provider.secret != nil, lane.breaker.canSend(at: now.monotonic)
            else { return }
            if lane.service.wait(lane) { waiting.append(lane.service) }
        }
    }

    /// Reports what has become of pushes; each app pays for its own.
    private func reportEnded(to router: inout Router, at now: Instant) {
        var next = 0
        while next < ended.count {
            let group = ended[next].push.lane.group
            router.countEstimates()
            let begin = loop.meter.mark
            while next < ended.count, ended[next].push.lane.group == group {
                let push = ended[next].push
                let outcome = outcome(of: ended[next], at: now)
                router.apnsPushEnded(push.device, number: push.number, outcome: outcome)
                next += 1
            }
            router.measured(loop.meter.time(since: begin), of: group)
        }
        ended.removeAll(keepingCapacity: true)
    }

    /// Makes pushes of a service, as many as there is room for, and returns how many.
    private func makePushes(
        of service: APNsService,
        most: Int,
        router: inout Router,
        now: Instant
    ) -> Int {
        guard most > 0, let pool = pool(of: service), authorize(service, over: pool, now: now)
        else {
            service.endRotation()
            return 0
        }
        let room = min(pool.room, most)
        var count = 0
        service.beginRotation()
        router.countEstimates()
        let begin = loop.meter.mark
        while count < room, let lane = service.nextLane {
            if router.isOverdrawn(lane.group) {
                // The app has used up its share of the work.
                service.removeFromRotation()
                var none = WorkAccount()
                router.waits(&none, in: lane.group)
                mailbox.wake()
                continue
            }
            guard lane.breaker.canSend(at: now.monotonic),
                let push = router.makeAPNsPush(in: lane.lane)
            else {
                service.removeFromRotation()
                continue
            }
            service.rotate()
            count += 1
            let block = lane.breaker.evidence.block(of: push.device, at: now.monotonic)
            if block > .zero {
                postpone(PushesUnderWay.Entry(push, of: lane), by: block)
            } else if !send(push, of: lane, over: pool, router: router) {
                break
            }
        }
        if count > 0 {
            service.charge(loop.meter.time(since: begin), in: &router)
            unflushed.append(service)
        }
        let hasMore = service.endRotation { lane in
            router.hasAPNsPushes(in: lane.lane) && lane.breaker.canSend(at: now.monotonic)
        }
        if hasMore && pool.room == 0 {
            hasWaiting = true
            pool.wantsRoom()
        }
        return count
    }

    /// Sends a push; it leaves with `flush`. Returns false if the pool's connection takes no more,
    /// whatever it has said.
    private func send(
        _ push: OutgoingAPNsPush,
        of lane: APNsLane,
        over pool: APNsPool,
        router: borrowing Router
    ) -> Bool {
        let token = router.pushToken(of: push)
        let payload = lane.payload(of: push, by: router)
        let entry = PushesUnderWay.Entry(push, of: lane)
        let index = underWay.insert(entry)
        lane.service.underWayCount += 1
        do {
            try lane.topic.withByteView { topic in
                try payload.withByteView { payload in
                    let message = APNsPush(
                        token: token,
                        type: lane.type,
                        topic: topic,
                        expiration: push.expiresAt,
                        isUrgent: push.isUrgent,
                        id: id(of: push.number),
                        payload: payload
                    )
                    try pool.send(message, number: index)
                }
            }
        } catch {
            _ = remove(index)
            postpone(entry, by: .zero)
            return false
        }
        lane.breaker.sent()
        return true
    }

    /// Does not send a push now; the router makes it again after a pause.
    private func postpone(_ push: PushesUnderWay.Entry, by pause: Milliseconds) {
        ended.append(EndedPush(push: push, ending: .postponed(pause)))
        mailbox.wake()
    }

    /// Removes a push that has ended.
    func remove(_ index: UInt64) -> PushesUnderWay.Entry? {
        guard let entry = underWay.remove(index) else { return nil }
        entry.service.underWayCount -= 1
        assert(entry.service.underWayCount >= 0, "more pushes have ended than were sent")
        if entry.service.isUnused { mayHaveUnused = true }
        return entry
    }

    // MARK: - Connections

    /// The pool of a service, which the first push makes; nil if the system has nothing for it.
    private func pool(of service: APNsService) -> APNsPool? {
        if let pool = service.pool { return pool }
        var target = settings.target(of: service.environment)
        if let certificate = service.provider.certificate {
            target.security = certificate.security(for: service.environment)
        }
        do throws(UVError) {
            service.pool = try APNsPool(
                loop,
                target: target,
                limits: limits.pool(of: services.count),
                owner: self,
                now: { .now },
                random: { Self.randomBits() }
            )
        } catch {
            logger.error("no connection to APNs", metadata: ["error": "\(error)"])
        }
        return service.pool
    }

    /// Gives a pool a provider token that is good now, and returns false if there is none;
    /// connections that have shown a certificate need none.
    private func authorize(_ service: APNsService, over pool: APNsPool, now: Instant) -> Bool {
        let provider = service.provider
        if provider.isCertificate { return true }
        do throws(TLSError) {
            // Apple accepts the first token of a connection, whenever it was made.
            if try provider.renewToken(at: now) { renewConnections(of: provider) }
        } catch {
            _ = provider.replace(nil)
            logger.error(
                "a key for APNs cannot sign: its pushes wait until it is replaced, and SIGHUP sent",
                metadata: ["credential": "\(provider.name.text)", "error": "\(error)"]
            )
        }
        guard let token = provider.token else { return false }
        if service.tokenNumber != token.number {
            pool.authorize(token.bytes)
            service.tokenNumber = token.number
        }
        return true
    }

    func renewConnections(of provider: APNsProvider) {
        for service in services where service.provider === provider {
            service.pool?.renewConnections()
        }
    }

    /// Closes the connections that no app needs any more, once their last pushes have ended.
    private func closeUnused() {
        if !mayHaveUnused { return }
        mayHaveUnused = false
        for service in services where service.isUnused { service.pool?.close() }
        services.removeAll(where: \.isUnused)
    }

    /// Closes all connections. What is under way stays so for the router, which sends it again
    /// after its next start. A second call does nothing.
    func close() {
        isClosed = true
        for service in services { service.pool?.close() }
        services = []
        lanes = []
        underWay.removeAll()
        ended = []
        unflushed = []
    }
}
