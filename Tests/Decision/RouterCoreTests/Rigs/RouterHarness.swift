import Basics
import CaptureFormat
import FrameCodec
import RouterCore
import StoreFormat
import TestSupport
import Testing

/// A widget as a test registers it.
struct TestWidget {
    var id: String
    var kind: String
    var configuration: String?
    /// The push token of a control.
    var token: String?
    var family: String?

    init(_ id: String, _ kind: String, _ configuration: String? = nil) {
        self.id = id
        self.kind = kind
        self.configuration = configuration
    }

    /// A widget of the kind `detail` for one character of the game.
    static func character(_ id: String, _ character: String) -> TestWidget {
        TestWidget(id, "detail", #"{"character":"\#(character)"}"#)
    }

    var json: String {
        let parameters = configuration.map { #","configuration":\#($0)"# } ?? ""
        let token = token.map { #","pushToken":"\#($0)""# } ?? ""
        let family = family.map { #","family":"\#($0)""# } ?? ""
        return #"{"id":"\#(id)","kind":"\#(kind)"\#(family)\#(parameters)\#(token)}"#
    }
}

/// Drives a router as the server does, with clocks that stand until a test moves them.
final class RouterHarness {
    let driver: VirtualRouter
    private var slots: UInt32 = 0
    private var sequences: [ConnectionSlot: UInt64] = [:]
    /// The number of the app file that was installed last, where there are several partitions.
    private var revision: UInt32 = 0
    /// Is given the journal, if one is kept.
    private(set) var replica: JournalReplica?
    private(set) var store: (any RouterStore)?
    private var catalog: AppCatalog?
    private(set) var sink = SentFrames()
    /// Of the journal and of the capture, if they are kept.
    private var written = Transcript()
    /// Whether a capture is a part of it.
    private var keepsCapture = false
    /// Is told of what is sent.
    var onSent: (([SentFrame]) -> Void)?
    /// What `send` was given while `collect` runs.
    private var collected: [UInt8]?
    private var stepCount = 0

    init(
        catalog: AppCatalog = .game,
        seed: UInt64 = 1,
        partition: Partition = .only,
        _ change: (inout RouterLimits) -> Void = { _ in }
    ) {
        var limits = RouterLimits()
        limits.removeWorkLimits()
        change(&limits)
        driver = VirtualRouter(
            Router(catalog: catalog, limits: limits, seed: seed, partition: partition),
            now: Instant(monotonic: 5_000, wall: 1_700_000_000_000)
        )
    }

    var router: Router {
        _read { yield driver.router }
        _modify { yield &driver.router }
    }

    var now: Instant {
        get { driver.now }
        set { driver.now = newValue }
    }

    // MARK: - Journal

    /// Begins anew, with a journal from the first moment on, and a twin that follows it.
    func keepJournal(_ catalog: AppCatalog, seed: UInt64 = 1) {
        let (limits, partition) = (router.limits, router.partition)
        router = Router(
            catalog: AppCatalog(apps: []),
            limits: limits,
            seed: seed,
            partition: partition
        )
        router.startJournal()
        replica = JournalReplica(limits: limits, seed: seed, partition: partition)
        install(catalog)
    }

    /// Begins to capture what is accepted, as it is with this app file in force.
    func keepCapture(_ catalog: AppCatalog) {
        keepsCapture = true
        router.startCapture(appFile: catalog.source)
    }

    /// Of everything since the journal and the capture have begun, and of all frames.
    var transcript: Transcript {
        writeJournal()
        var transcript = written
        transcript.add(sink.transcript)
        return transcript
    }

    /// Installs an app file; with a journal in portions of two kinds, as a server does.
    func install(_ catalog: AppCatalog) {
        self.catalog = catalog
        let source = replica == nil && store == nil ? [] : catalog.source
        let change = self.change(to: catalog)
        for portion in change?.portions ?? [] { router.apply(portion) }
        if !router.partition.isOnly { revision += 1 }
        router.install(catalog, source: source, revision: revision, after: change)
    }

    /// What leads to an app file from the one in force; nil if that has no text, or is not whole.
    func change(to catalog: AppCatalog, kindsPerPortion: Int = 2) -> CatalogChange? {
        let former = router.appsSource
        if former.isEmpty || router.isCatalogChanging { return nil }
        let change = former.withByteView { former in
            catalog.source.withByteView { source in
                CatalogChange(
                    from: former,
                    to: catalog,
                    source: source,
                    kindsPerPortion: kindsPerPortion
                )
            }
        }
        var count = NumberCount()
        while true {
            let isDivided = router.mayChangeInPortions(change, counting: &count, kinds: 2)
            if let isDivided { return isDivided ? change : nil }
        }
    }

    /// Begins anew, with a store beside it from the first moment on.
    func keepStore(_ catalog: AppCatalog, _ store: any RouterStore) throws(StoreError) {
        router = try store.recovered()
        self.store = store
        install(catalog)
    }

    /// Ends the process, and begins another one from its store: all connections are gone.
    func restart() throws(StoreError) {
        guard let store, let catalog else { preconditionFailure("there is no store") }
        router = try store.recovered()
        if router.appsSource != catalog.source || router.isCatalogChanging { install(catalog) }
    }

    /// Hands on what the journal has.
    func writeJournal() {
        store?.endTick(&router)
        if keepsCapture {
            written.add(capture: router.capture.records.bytes)
            router.captureTaken()
        }
        guard let replica else { return }
        written.add(journal: router.journalBytes)
        replica.follow(router.journalBytes)
        router.journalTaken()
    }

    // MARK: - Connections

    /// Opens a connection in a new slot, or in one that was closed.
    func open(_ slot: ConnectionSlot? = nil) -> ConnectionSlot {
        let chosen = slot ?? ConnectionSlot(rawValue: slots)
        if slot == nil { slots += 1 }
        sequences[chosen] = 0
        driver.open(chosen)
        return chosen
    }

    /// Opens a connection and says HELLO; what the router answers is dropped after a check.
    func connect(
        _ role: Peer,
        _ name: String? = nil,
        app: String = "game",
        token: String? = nil,
        slot: ConnectionSlot? = nil,
        wantsOutcomes: Bool = false
    ) -> ConnectionSlot {
        let slot = open(slot)
        hello(slot, role, name, app: app, token: token, wantsOutcomes: wantsOutcomes)
        let isWelcome = take().contains {
            if case .welcome(slot, _) = $0 { true } else { false }
        }
        #expect(isWelcome, "the \(role) \(name ?? "") is welcome")
        return slot
    }

    func hello(
        _ slot: ConnectionSlot,
        _ role: Peer,
        _ name: String?,
        app: String = "game",
        token: String? = nil,
        wantsOutcomes: Bool = false
    ) {
        let hello = HelloMessage(
            role: role,
            app: app,
            token: token,
            name: name,
            wantsOutcomes: wantsOutcomes
        )
        send(slot, encodeFrame(.hello, seq: 0, body: hello.encoded))
    }

    func close(_ slot: ConnectionSlot) {
        driver.close(slot)
        store?.connectionClosed(&router)
    }

    // MARK: - Frames

    /// Hands the router what one read has brought.
    ///
    /// - Returns: how many bytes it took.
    @discardableResult
    func send(_ slot: ConnectionSlot, _ bytes: [UInt8]) -> Int {
        if collected != nil {
            collected! += bytes
            return bytes.count
        }
        return driver.receive(bytes, on: slot)
    }

    /// The bytes that are sent by `body`, which the router does not get.
    func collect(_ body: () -> Void) -> [UInt8] {
        collected = []
        body()
        defer { collected = nil }
        return collected ?? []
    }

    func push(
        _ slot: ConnectionSlot,
        _ seq: UInt64,
        _ payload: String,
        flags: UInt8 = 0,
        expiresAt: UInt64? = nil
    ) {
        send(slot, pushFrame(seq, payload, flags: flags, expiresAt: expiresAt))
    }

    /// A PUSH whose payload, perhaps with kinds in front of it, is written like `PushText`.
    func pushFrame(
        _ seq: UInt64,
        _ payload: String,
        flags: UInt8 = 0,
        expiresAt: UInt64? = nil
    ) -> [UInt8] {
        let push = PushText(payload)
        var body: [UInt8] = []
        var flags = flags
        if let expiresAt {
            flags |= PushFlags.expires
            body = (0..<8).map { UInt8(truncatingIfNeeded: expiresAt >> (56 - 8 * $0)) }
        }
        if let names = push.names {
            flags |= PushFlags.kinds
            body += [UInt8(names.count >> 8), UInt8(truncatingIfNeeded: names.count)] + names
        }
        return encodeFrame(
            .push,
            flags: flags,
            seq: seq,
            body: body + Array(push.payload.utf8)
        )
    }

    /// Sends a device's frame with the connection's next sequence number.
    ///
    /// - Returns: that number.
    @discardableResult
    func device(_ slot: ConnectionSlot, _ type: FrameType, _ body: String) -> UInt64 {
        let seq = sequences[slot, default: 0] + 1
        sequences[slot] = seq
        send(slot, encodeFrame(type, seq: seq, body: Array(body.utf8)))
        return seq
    }

    @discardableResult
    func widgets(_ slot: ConnectionSlot, _ device: String, _ widgets: [TestWidget]) -> UInt64 {
        let list = widgets.map(\.json).joined(separator: ",")
        return self.device(slot, .widgets, #"{"device":"\#(device)","widgets":[\#(list)]}"#)
    }

    @discardableResult
    func timeline(
        _ slot: ConnectionSlot,
        _ device: String,
        _ widget: String,
        reload: UInt64? = nil,
        entries: [Int64] = [],
        policy: String = #""never""#,
        because: String? = nil,
        ownTimer: Bool = false
    ) -> UInt64 {
        var members = reload.map { #""reload":\#($0),"# } ?? ""
        if let because { members += #""because":"\#(because)","# }
        if ownTimer { members += #""ownTimer":true,"# }
        return self.device(
            slot,
            .timeline,
            #"{"device":"\#(device)","widget":"\#(widget)",\#(members)"entries":\#(entries),"#
                + #""policy":\#(policy)}"#
        )
    }

    @discardableResult
    func request(
        _ slot: ConnectionSlot,
        _ device: String,
        kind: String? = nil,
        because: String? = nil
    ) -> UInt64 {
        var members = kind.map { #","kind":"\#($0)""# } ?? ""
        if let because { members += #","because":"\#(because)""# }
        return self.device(slot, .request, #"{"device":"\#(device)"\#(members)}"#)
    }

    // MARK: - Time

    /// Moves both clocks.
    func advance(_ milliseconds: Int64) {
        driver.advance(Milliseconds(rawValue: milliseconds))
    }

    /// Ends a loop turn.
    ///
    /// - Returns: what was sent in it.
    func step() -> [SentFrame] {
        router.step(now: now)
        stepCount += 1
        // Each check takes as long as some ten steps.
        let isChecked = stepCount % 64 == 0 || stepCount == 16
        if isChecked && router.storedCounts.devices < 1_000 { checkInvariants() }
        return take()
    }

    /// All tables of the router agree with each other.
    func checkInvariants() {
        do throws(InvariantViolation) {
            try router.checkInvariants()
        } catch {
            Issue.record("after \(stepCount) steps, \(error)")
        }
    }

    /// Ends turns until nothing more comes of what came, and returns their RELOADs.
    func settle() -> [SentReload] {
        var sent = reloads()
        while router.needsStep { sent += reloads() }
        return sent
    }

    /// Ends a loop turn, and returns only its RELOADs.
    func reloads() -> [SentReload] {
        step().compactMap { if case .reload(let reload) = $0 { reload } else { nil } }
    }

    func sweep(isHeard: Bool = true) -> [SentFrame] {
        router.beginSweep(now: now)
        var sent: [SentFrame] = []
        while isSweeping { sent += continueSweep(isHeard: isHeard) }
        return sent
    }

    var isSweeping: Bool { router.isSweeping }

    /// What a single turn of a sweep sends.
    func continueSweep(isHeard: Bool = true) -> [SentFrame] {
        router.continueSweep(now: now) { _ in isHeard }
        return take()
    }

    /// Takes the frames that there are.
    func take() -> [SentFrame] {
        sink.sent.removeAll()
        driver.send(to: &sink)
        onSent?(sink.sent)
        writeJournal()
        return sink.sent
    }
}

extension AppCatalog {
    /// A game whose widgets wait for one character, and another app.
    static let game = AppCatalog(apps: [
        AppDeclaration(
            app: "game",
            kinds: [
                KindDeclaration(
                    kind: "detail",
                    rule: .parameter("character"),
                    policy: .unlimited
                ),
                KindDeclaration(
                    kind: "log",
                    rule: .parameter("character"),
                    policy: .unlimited
                ),
                KindDeclaration(
                    kind: "dragon",
                    rule: EventPattern(conditions: [
                        .field("event", [.equals(.value(.string("dragon")))])
                    ]),
                    policy: .unlimited
                ),
                KindDeclaration(kind: "static", policy: .unlimited),
            ]
        ),
        AppDeclaration(
            app: "news",
            kinds: [KindDeclaration(kind: "detail", policy: .unlimited)]
        ),
    ])
}

extension EventPattern {
    /// The payload's field of this name must equal the widget's parameter of the same name.
    static func parameter(_ name: String) -> EventPattern {
        EventPattern(conditions: [.field(name, [.equals(.parameter(name))])])
    }
}

extension KindPolicy {
    /// Every match is a RELOAD at once.
    static var unlimited: KindPolicy {
        var policy = KindPolicy()
        policy.budget = .unlimited
        return policy
    }
}
