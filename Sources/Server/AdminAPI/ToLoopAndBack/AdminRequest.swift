package import Basics
package import RouterCore

/// A request of the admin server to the router: a plain value, carried out on the loop.
///
/// Everything that can be checked without the router has been checked: names are valid identifiers,
/// bodies are valid and complete JSON, except the payloads of pushes.
package enum AdminRequest: Sendable {
    /// A page of the connections whose slots are above `after`.
    case connections(after: ConnectionSlot?, limit: Int)
    /// A page of the producers of one app, or of all, whose numbers are above `after`.
    case producers(app: String?, after: ProducerID?, limit: Int)
    case forgetProducer(app: String, producer: String)
    case apps
    case app(String)
    /// The app file in force, with its tokens redacted.
    case appFile
    /// Installs an app file; `source` is its text.
    case replaceAppFile(AppFile)
    case pause(app: String)
    case resume(app: String)
    /// A page of an app's devices, after the named one.
    case devices(app: String, after: String?, limit: Int)
    case device(app: String, device: String)
    /// Removes a device with everything that is stored for it.
    case forgetDevice(app: String, device: String)
    /// Revokes the tokens of a device that were issued before a date; nil for the present one.
    case revokeTokens(app: String, device: String, before: WallTime?)
    /// Takes a revocation back.
    case withdrawRevocation(app: String, device: String)
    /// A page of an app's devices whose tokens are revoked, after the named one.
    case revocations(app: String, after: String?, limit: Int)
    /// A page of an app's devices to whose push tokens APNs accepts nothing, after the end of a
    /// token with this number.
    case deadTokens(app: String, after: UInt64, limit: Int)
    case explain(ExplainRequest)
    case slots(SlotRequest)
    case push(PushRequest)
    /// Pushes that were accepted, or what became of one.
    case lookUp(PushLookup)
    /// The history of the metrics: how far back, and in which resolution; nil for the finest that
    /// is kept.
    case history(over: Milliseconds, resolution: HistoryResolution?)
    /// The course of an app, or of one of its kinds: how far back.
    case appHistory(app: String, kind: String?, over: Milliseconds)
    /// A page of the origins whose numbers are above `after`.
    case origins(after: OriginID?, limit: Int)
    /// The most frequent keys of pushes.
    case hotKeys
    /// Begins to drain the router.
    case drain
    /// Reads the level of the log.
    case logLevel
    case setLogLevel(String)
    /// Copies the store to a new folder of this name, in the folder that is set for backups.
    case backup(name: String)
}

/// A hypothetical push: the router explains what it would lead to, and changes nothing.
package struct ExplainRequest: Sendable {
    /// The app of the push.
    package var app: String
    /// A JSON object.
    package var payload: [UInt8]
    /// Whether the push is urgent.
    package var isUrgent = false
    /// The kinds to which the push is narrowed; nil for all.
    package var kinds: [String]?
    /// The device whose widgets are explained; nil for all devices.
    package var device: String?
    /// The kind whose widgets are explained; nil for all kinds.
    package var kind: String?
    /// The most widgets that are explained.
    package var limit = 100
    /// The most near misses.
    package var near = Explanation.usualNear

    /// Makes a request about all widgets of the app, for a push that is not urgent.
    package init(app: String, payload: [UInt8]) {
        self.app = app
        self.payload = payload
    }
}

/// Asks for slots at an app's origin, one for each date, for apps without a connection to the
/// router.
package struct SlotRequest: Sendable {
    /// A requested reload time.
    package struct Date: Sendable {
        /// Identifies the date in the answer.
        package var id: String
        /// The earliest time of the reload.
        package var after: WallTime
    }

    /// The app whose widgets will be reloaded.
    package var app: String
    /// The kind of the widgets; it determines the origin and the window.
    package var kind: String
    /// The requested reload times.
    package var dates: [Date]
}

/// Asks for pushes that were accepted.
package enum PushLookup: Equatable, Sendable {
    /// A page of an app's last pushes.
    case list(PushListRequest)
    /// A page of what became of one.
    case history(PushHistoryRequest)

    /// The app of the pushes.
    var app: String {
        switch self {
        case .list(let request): request.app
        case .history(let request): request.app
        }
    }
}

/// Asks for a page of what became of a push.
package struct PushHistoryRequest: Equatable, Sendable {
    /// The app of the push.
    package var app: String
    /// The producer that has sent it.
    package var producer: String
    /// Its sequence number.
    package var seq: UInt64
    /// The position of the match after which the page begins; nil for the first one.
    package var after: Int?
    /// The most widgets of the page.
    package var limit: Int
}

/// Asks for a page of an app's last pushes.
package struct PushListRequest: Equatable, Sendable {
    /// The app of the pushes.
    package var app: String
    /// The producer whose pushes are listed; nil for all.
    package var producer: String?
    /// What the request or the event is called whose pushes are listed; nil for all.
    package var name: RequestKey?
    /// The number of the last push of the page before, which the router has given it.
    package var before: UInt64?
    /// The most pushes of the page.
    package var limit: Int
}

/// Pushes that came over HTTP.
package struct PushRequest: Sendable {
    /// The app that the pushes are for.
    package var app: String
    /// One payload per push, in the order of the lines; not yet validated.
    package var payloads: Payloads
    /// Those of them that were refused already: events of a batch that are none.
    package var refused = RefusedLines()
    /// The producer's name, with which the router recognises pushes that are sent again; nil for
    /// the router's own producer of the app and the sender.
    package var producer: String?
    /// Sequence number of the first push; nil without a producer.
    package var firstSeq: UInt64?
    /// What the publisher calls the request by, so that sending it again has no effect again; nil
    /// if it says nothing, or gives a producer.
    package var key: RequestKey?
    /// What each push is found by, if that is not the key: of events, the first bits of their names
    /// (`RequestKey.high`); 0 for none.
    package var names: [UInt64] = []
    /// Whether they came from a publisher, to the listener for publishers; otherwise an operator
    /// has sent them to the admin server.
    package var isOfPublisher = false
    /// Whether the answer to a publisher says what became of the pushes; an operator's always does.
    package var wantsOutcome = false
    /// Who has sent them: to whom its key belongs and, without a producer, the router's own one.
    package var sender = PublishSender.anyone
    /// Whether all of the pushes are urgent.
    package var isUrgent = false
    /// When the pushes expire; nil for never.
    package var expiresAt: WallTime?
    /// The kinds to which the pushes are narrowed, as `KindNames.encode` returns them; nil for all.
    package var kinds: [UInt8]?

    /// The bytes of memory that the pushes take until they are answered, with the refusals that the
    /// answer may name.
    package var byteCount: Int {
        payloads.byteCount + names.count * MemoryLayout<UInt64>.stride
            + min(payloads.count, RefusedLines.namedLimit) * RefusedLines.namedByteCount
    }

    /// Makes a request with pushes of the router's own producer that are not urgent.
    package init(app: String, payloads: Payloads) {
        self.app = app
        self.payloads = payloads
    }
}
