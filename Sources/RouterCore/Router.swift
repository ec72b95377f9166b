internal import ByteStorage
internal import FrameCodec
package import ReloadModel
internal import StrictJSON
internal import WidgetMatching

/// The router: frames and time in, actions out.
///
/// Pure: it knows no socket and no clock, and its only randomness is the seed and the session ids
/// that it is given. A driver feeds it
///
///     opened / received / filled / drained / closed      as the loop calls back
///     step(now:)                                         once per loop turn; again if `needsStep`
///     sweep(now:)                                        about once a second
///
/// and then performs `actions`, in order, and empties them with `actionsPerformed`. Connections are
/// named by slots that the driver gives; small numbers, used again after `closed`.
package struct Router: ~Copyable {
    package let limits: RouterLimits
    package internal(set) var actions: ContiguousArray<RouterAction> = []
    /// The bodies that `actions` name.
    package internal(set) var bodies: ContiguousArray<[UInt8]> = []
    package internal(set) var counters = RouterCounters()

    var delivery: DeliveryTable
    var matcher: WidgetMatcher
    var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
    var identifiers = IdentifierScratch()
    var apps: [App] = []
    /// Names are compared as bytes: Swift's strings also hold those equal that only look the same.
    var appsByName: [[UInt8]: AppID] = [:]
    var kinds: [Kind] = []
    var producers: [Producer] = []
    var producersByName: [ProducerKey: UInt32] = [:]
    var deadlines = DeadlineHeap()
    /// Connections that an ACK is due to.
    var acknowledging: ContiguousArray<UInt32> = []
    /// The widgets of this step's RELOADs, one after the other.
    var reloadWidgets: ContiguousArray<WidgetID> = []
    /// Rises with every RELOAD of the router, so that no two sessions share a number.
    var reloadSeq: UInt64 = 0
    /// Connections that have not said HELLO, oldest first; those that have are passed over.
    var awaitingHello = AwaitingQueue()
    /// Whether the matcher's batch is begun and not finished.
    var isMatching = false
    /// Widgets that pushes of this turn have been compared with.
    var turnMatches = 0
    var now = Instant(monotonic: 0, wall: 0)

    /// An app as it runs: what the app file says of it, and its kinds' numbers.
    struct App {
        var declaration: AppDeclaration
        /// False when a newer app file no longer has it.
        var isDeclared: Bool
        var kindsByName: [[UInt8]: KindID]
    }

    struct Kind {
        var app: AppID
        /// The name, in the names arena.
        var name: UInt32
        var nameCount: Int
        var isDeclared: Bool
        /// The last RELOAD that named the kind, so that it names it once.
        var namedIn: UInt64 = 0
    }

    struct Producer {
        var lastSeq: UInt64
        var connection: UInt32
        var generation: UInt32
    }

    struct ProducerKey: Hashable {
        var app: AppID
        var name: [UInt8]
    }

    /// - Parameters:
    ///   - catalog: the apps that may connect.
    ///   - limits: checked by the caller (`RouterLimits.problem`).
    ///   - seed: drawn anew at every start, so that nobody can choose colliding keys.
    package init(catalog: AppCatalog, limits: RouterLimits, seed: UInt64) {
        precondition(limits.problem == nil, "the limits contradict each other")
        self.limits = limits
        delivery = DeliveryTable(hashSeed: seed)
        matcher = WidgetMatcher(seed: seed)
        install(catalog)
    }

    /// The earliest date, in ms of wall time, at which a widget's timeline asks for a reload.
    package var nextDeadline: Int64? { deadlines.first?.at }

    package var deviceCount: Int { delivery.devices.count }
    package var widgetCount: Int { matcher.widgetCount }

    /// Empties what the last step left; the memory is used again.
    package mutating func actionsPerformed() {
        actions.removeAll(keepingCapacity: true)
        bodies.removeAll(keepingCapacity: true)
        reloadWidgets.removeAll(keepingCapacity: true)
    }

    // MARK: - The app file

    /// Takes over a new app file: new rules hold for the next push.
    ///
    /// Apps and kinds keep their numbers by name. Widgets of a kind that is no longer declared stay
    /// stored and match nothing; sessions of an app that is no longer declared are ended.
    package mutating func install(_ catalog: AppCatalog) {
        finishBatch()
        for index in apps.indices { apps[index].isDeclared = false }
        for index in kinds.indices { kinds[index].isDeclared = false }
        var matched: [WidgetMatcher.App] = []
        for declaration in catalog.apps {
            let app = declare(declaration)
            let kinds = declaration.kinds.map { kind in
                WidgetMatcher.Kind(
                    kind: declare(kind.kind, of: app),
                    name: kind.kind,
                    rule: kind.rule
                )
            }
            matched.append(WidgetMatcher.App(app: app, kinds: kinds))
        }
        matcher.install(apps: matched)
        for connection in 0..<delivery.connections.end {
            let record = delivery.connections[connection]
            let hasApp = record.isOpen && record.session.phase.isEstablished
            if hasApp && !apps[Int(record.app)].isDeclared {
                fail(
                    connection,
                    ProtocolError(.appUnknown, "the app is no longer in the app file")
                )
            }
        }
    }

    private mutating func declare(_ declaration: AppDeclaration) -> AppID {
        if let app = appsByName[Array(declaration.app.utf8)] {
            apps[Int(app)].declaration = declaration
            apps[Int(app)].isDeclared = true
            return app
        }
        let app = AppID(apps.count)
        apps.append(App(declaration: declaration, isDeclared: true, kindsByName: [:]))
        appsByName[Array(declaration.app.utf8)] = app
        return app
    }

    private mutating func declare(_ name: String, of app: AppID) -> KindID {
        if let kind = apps[Int(app)].kindsByName[Array(name.utf8)] {
            kinds[Int(kind)].isDeclared = true
            return kind
        }
        let kind = KindID(kinds.count)
        let stored = name.withByteView { delivery.names.store($0) }
        kinds.append(
            Kind(app: app, name: stored, nameCount: name.utf8.count, isDeclared: true)
        )
        apps[Int(app)].kindsByName[Array(name.utf8)] = kind
        return kind
    }

    // MARK: - Answers

    mutating func write(
        _ connection: UInt32,
        _ type: FrameType,
        seq: UInt64,
        _ body: [UInt8]
    ) {
        actions.append(
            .write(connection: connection, type: type.rawValue, seq: seq, body: bodies.count)
        )
        bodies.append(body)
    }

    /// Refuses one frame; the connection lives on.
    mutating func reject(_ connection: UInt32, seq: UInt64, _ error: ProtocolError) {
        counters.framesRejected += 1
        delivery.connections[connection].session.rejected()
        write(connection, .reject, seq: seq, error.encoded)
    }

    /// Ends a session: what was accepted is acknowledged first, then the error goes out.
    mutating func fail(_ connection: UInt32, _ error: ProtocolError) {
        guard delivery.connections[connection].isOpen,
            delivery.connections[connection].session.phase != .ended
        else { return }
        assert(delivery.batch.connection != connection, "what was accepted is matched first")
        acknowledge(connection)
        delivery.connections[connection].session.end()
        counters.sessionsFailed += 1
        counters.lastFailure = error.code
        actions.append(.fail(connection: connection, body: bodies.count))
        bodies.append(error.encoded)
    }

    /// Writes the ACK that is due to a connection, if any.
    mutating func acknowledge(_ connection: UInt32) {
        let record = delivery.connections[connection]
        guard record.isOpen, record.ackIsDue, record.session.phase != .ended else { return }
        actions.append(
            .acknowledge(
                connection: connection,
                seq: record.ackSeq,
                matched: record.session.phase == .publisher ? record.matched : nil
            )
        )
        delivery.connections[connection].ackIsDue = false
        delivery.connections[connection].matched = 0
        delivery.connections[connection].session.acknowledged()
    }
}

/// What the router has done since it started.
package struct RouterCounters: Equatable, Sendable {
    package var pushesAccepted: UInt64 = 0
    package var pushesDuplicate: UInt64 = 0
    package var framesRejected: UInt64 = 0
    package var sessionsFailed: UInt64 = 0
    package var reloadsSent: UInt64 = 0
    package var reloadsVoid: UInt64 = 0
    package var lastFailure: ErrorCode?

    package init() {}
}
