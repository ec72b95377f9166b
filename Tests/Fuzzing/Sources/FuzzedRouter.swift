import Basics
import FrameCodec
import StoreFormat

@testable import RouterCore

/// A router as its driver has it, with clocks that stand until they are moved, and checks of all
/// that it sends.
struct FuzzedRouter: ~Copyable, VirtualPeers {
    static let slotCount = 4
    /// The default app file of these routers: every policy, and rules of several kinds.
    static let appFile = Array(
        #"""
        {"apps":[{"app":"g","origins":[{"origin":"o","perSecond":2,"undelayed":1}],"kinds":[
        {"kind":"k","match":{"c":["${configuration.c}"]},"budget":"unlimited"},
        {"kind":"s","origin":"o","observes":["hp"],"inlines":["hp","n"],"debounce":{"wait":2,"longest":5}},
        {"kind":"n","match":{"x":[{"numeric":[">",1]}],"l":{"a":["${configuration.a}"]}}},
        {"kind":"w","match":{"t":[{"wildcard":"${configuration.w}"}]},"spread":"uniform"}]},
        {"app":"t","publishers":"open","kinds":[{"kind":"k"}]}]}
        """#.utf8
    )

    /// What it says; it is read only once.
    private static let catalog: AppCatalog = {
        guard let catalog = appFile.withByteView({ try? AppFile.parse($0).catalog }) else {
            fail("our own app file is refused")
        }
        return catalog
    }()

    private let driver: VirtualRouter
    /// The bodies of the journal's records.
    private(set) var journal: [[UInt8]] = []
    private var isOpen = [Bool](repeating: false, count: slotCount)
    /// Which were closed since frames were taken: what was answered to them before goes nowhere.
    private var hasClosed = [Bool](repeating: false, count: slotCount)
    private var sequences = [UInt64](repeating: 0, count: slotCount)
    /// What the router has not taken of a connection's bytes.
    private var unread = [[UInt8]](repeating: [], count: slotCount)
    private var failed: [Int] = []
    private var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)

    /// Small limits, so that few bytes reach them.
    static var limits: RouterLimits {
        var limits = RouterLimits()
        limits.maxBody = 65_536
        limits.window = 6
        limits.connections = slotCount
        limits.connectionsAwaitingHello = 2
        limits.devices = 4
        limits.widgetsPerDevice = 5
        limits.producers = 3
        limits.producersPerApp = 2
        limits.producerIdle = .seconds(1)
        limits.timelineEntries = 4
        limits.matchesPerStep = 2
        limits.workPerTick = 60_000
        limits.workPerConnection = 20_000
        limits.fanOutMatches = 6
        limits.journalRecord = 40
        return limits
    }

    /// What one read of a few kilobytes may cost at most, in units of `WorkCost`: no single frame
    /// holds the loop for more than 5 ms.
    private static let costLimit = 5_000_000

    init() {
        driver = VirtualRouter(
            Router(catalog: AppCatalog(apps: []), limits: Self.limits, seed: 1),
            now: Instant(
                monotonic: MonotonicTime(rawValue: 1_000),
                wall: WallTime(rawValue: 1_700_000_000_000)
            )
        )
        router.startJournal()
        router.tick(now)
        router.install(Self.catalog, source: Self.appFile)
        perform()
    }

    /// A router that has come from a store; its clocks go on.
    init(recovered router: consuming Router) {
        driver = VirtualRouter(
            router,
            now: Instant(
                monotonic: MonotonicTime(rawValue: 1 << 40),
                wall: WallTime(rawValue: 1 << 42)
            )
        )
    }

    var router: Router {
        _read { yield driver.router }
        nonmutating _modify { yield &driver.router }
    }

    var now: Instant { driver.now }

    /// Takes over an app file, if it is one.
    mutating func install(_ file: [UInt8]) {
        guard let catalog = file.withByteView({ try? AppFile.parse($0).catalog }) else { return }
        let isOnly = router.partition.isOnly
        let revision = isOnly ? 0 : router.state.reloads.catalog.revision + 1
        router.install(catalog, source: file, revision: revision)
        perform()
    }

    // MARK: - Connections

    mutating func open(_ slot: Int) {
        if isOpen[slot] { return }
        // A slot is used again only when everything has been performed that was for the one before.
        perform()
        isOpen[slot] = true
        sequences[slot] = 0
        driver.open(ConnectionSlot(index: slot))
        perform()
    }

    mutating func close(_ slot: Int) {
        if !isOpen[slot] { return }
        isOpen[slot] = false
        hasClosed[slot] = true
        unread[slot] = []
        driver.close(ConnectionSlot(index: slot))
    }

    mutating func setWritable(_ slot: Int, _ isWritable: Bool) {
        if !isOpen[slot] { return }
        if isWritable {
            router.outputDrained(ConnectionSlot(index: slot))
        } else {
            router.outputFilled(ConnectionSlot(index: slot))
        }
    }

    /// Sends a frame with the connection's next sequence number.
    mutating func send(_ slot: Int, _ type: FrameType, flags: UInt8 = 0, _ body: [UInt8]) {
        sequences[slot] &+= 1
        send(slot, type, flags: flags, seq: sequences[slot], body)
    }

    mutating func send(
        _ slot: Int,
        _ type: FrameType,
        flags: UInt8 = 0,
        seq: UInt64,
        _ body: [UInt8]
    ) {
        send(slot, bytes: encodeFrame(type, flags: flags, seq: seq, body: body))
    }

    mutating func send(_ slot: Int, bytes: [UInt8]) {
        if !isOpen[slot] { return }
        unread[slot] += bytes
        offer(slot)
    }

    /// Passes a frame of a device that has come without a session, unless the router is busy: of
    /// the device whose session may be open, or of another one; as a device or as a gateway.
    mutating func report(_ sender: Int, _ type: FrameType, _ body: ByteView) {
        if router.isBusy { return }
        let spentBefore = router.outbox.work.spent
        _ = try? router.report(
            type,
            of: sender % 2 == 0 ? "d" : "e",
            app: "g",
            isOfGateway: sender >= 2,
            body: body,
            now: now
        )
        let cost = router.outbox.work.spent - spentBefore
        require(cost <= Self.costLimit, "a report of \(body.count) bytes costs \(cost) ns")
        perform()
    }

    /// Offers what a connection has sent, as the loop does.
    ///
    /// - Returns: whether any of it was taken.
    @discardableResult
    private mutating func offer(_ slot: Int) -> Bool {
        if !isOpen[slot] || unread[slot].isEmpty { return false }
        let spentBefore = router.outbox.work.spent
        let count = unread[slot].withByteView { bytes in
            bytes.withCopy { driver.receive($0, on: ConnectionSlot(index: slot)) }
        }
        require((0...unread[slot].count).contains(count), "\(count) bytes are consumed")
        let cost = router.outbox.work.spent - spentBefore
        require(cost <= Self.costLimit, "\(unread[slot].count) bytes cost \(cost) ns")
        unread[slot].removeFirst(count)
        return count > 0
    }

    // MARK: - Time

    mutating func advance(_ milliseconds: Int64, wall: Int64? = nil) {
        driver.now.monotonic += Milliseconds(rawValue: milliseconds)
        driver.now.wall += Milliseconds(rawValue: wall ?? milliseconds)
    }

    mutating func sweep() {
        router.beginSweep(now: now)
        while router.isSweeping {
            router.continueSweep(now: now) { _ in true }
            perform()
        }
    }

    /// Ends the turn, and makes further ones until nothing more comes of what came.
    mutating func settle() {
        var ticks = 0
        var isAnythingTaken = false
        repeat {
            router.step(now: now)
            perform()
            // Who has sent what is costly rests for a while.
            if (0..<Self.slotCount).contains(where: {
                isOpen[$0] && router.restEnd(ConnectionSlot(index: $0)) != nil
            }) {
                advance(1)
            }
            isAnythingTaken = false
            for slot in 0..<Self.slotCount where offer(slot) { isAnythingTaken = true }
            ticks += 1
            // Of a few frames there is never so much to do, nor such a debt to repay.
            require(ticks < 5_000, "the router does not come to rest")
        } while router.needsStep || isAnythingTaken || isAnybodyWaiting
    }

    /// Whether frames have come that wait for nothing but further turns.
    private var isAnybodyWaiting: Bool {
        (0..<Self.slotCount).contains { slot in
            let connection = ConnectionSlot(index: slot)
            return isOpen[slot] && !unread[slot].isEmpty && router.isPaused(connection)
                && !router.isPausedPublisher(connection)
        }
    }

    // MARK: - What is sent

    /// Takes the frames that there are, and checks each of them.
    private mutating func perform() {
        driver.send(to: &self)
        if router.journalBytes.count > 0 { journal.append(router.journalBytes.array) }
        router.journalTaken()
        for slot in failed { close(slot) }
        failed.removeAll(keepingCapacity: true)
        for slot in 0..<Self.slotCount { hasClosed[slot] = false }
    }

    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) {
        let slot = frame.connection.index
        let header = try? FrameHeader.decode(bytes, at: 0, maxBody: 1 << 20)
        require(
            header?.type == frame.type
                && header?.bodyCount == bytes.count - FrameHeader.byteCount,
            "\(frame.type) is not one whole frame"
        )
        let body = bytes.slice(FrameHeader.byteCount, to: bytes.count)
        switch frame.type {
        case .reload: require(isOpen[slot], "a RELOAD for nobody")
        case .ack, .pong, .ping:
            return require(isOpen[slot] || hasClosed[slot], "an answer for nobody")
        case .reject: require(body.count <= errorByteLimit, "a REJECT of \(body.count) bytes")
        case .error:
            require(body.count <= errorByteLimit, "an ERROR of \(body.count) bytes")
            failed.append(slot)
        default: break
        }
        requireJSON(body)
    }

    private mutating func requireJSON(_ body: ByteView) {
        let isJSON = (try? validateJSON(body, using: &scanner)) != nil
        scanner.resetScratch()
        require(isJSON, "\(body.string) is no JSON")
    }

    // MARK: - Store

    /// Writes a checkpoint, from its beginning to the last record that it makes superfluous.
    mutating func writeCheckpoint() {
        router.beginCheckpoint()
        var changes = TableChanges()
        require(router.writeCheckpoint(&changes, limit: .max), "a checkpoint without an end")
        router.writeManifest(position: 1, checksum: 1, to: &changes)
        router.checkpointSealed()
        while router.checkpointPhase != .idle { router.deleteObsolete(&changes, limit: 100) }
    }

    /// All of its state as records of the table; the journal begins anew behind it.
    mutating func takeImage() -> [TableKey: [UInt8]] {
        settle()
        journal = []
        return StateImage(router).records
    }

    /// All of its tables agree with each other.
    func checkInvariants() {
        do throws(InvariantViolation) {
            try router.checkInvariants()
        } catch {
            fail(error.description)
        }
    }

    // MARK: - Replay

    /// A router that is given nothing but the journal comes to the same state.
    mutating func checkReplay() {
        var replayed = Router(catalog: AppCatalog(apps: []), limits: Self.limits, seed: 1)
        replayed.beginFollowing()
        for (index, record) in journal.enumerated() {
            do throws(StoreError) {
                try record.withByteView { view throws(StoreError) in try replayed.follow(view) }
            } catch {
                fail("journal record \(index + 1) of our own is refused: \(error)")
            }
        }
        do throws(InvariantViolation) {
            try replayed.checkInvariants()
        } catch {
            fail("replayed, \(error)")
        }
        let difference = StateImage(replayed).difference(
            from: StateImage(router),
            ignoresTime: true
        )
        require(difference == nil, "replayed, \(difference ?? "")")
    }
}
