package import ReloadModel

/// A connection, as operators see it.
package struct ConnectionFacts: Equatable, Sendable {
    package var slot: UInt32
    /// `publisher`, `device`, `gateway`, `awaitingHello` or `ended`.
    package var role: String
    /// Nil before HELLO.
    package var app: String?
    /// The producer's or the device's; nil for gateways.
    package var name: String?
    /// In ms of the monotonic clock.
    package var lastFrameAt: Int64
    /// Frames that it has sent.
    package var frames: UInt64
    /// Frames that no ACK covers.
    package var unacknowledged: Int
    /// Stored devices for which it speaks.
    package var devices: Int
    /// Whether the router takes no frames of it now.
    package var isHeld: Bool
}

/// A producer, as operators see it.
package struct ProducerFacts: Equatable, Sendable {
    package var app: String
    package var name: String
    /// The last push that was accepted; 0 for none.
    package var lastSeq: UInt64
    /// When its last session began, or, if that is over, when it ended; in ms since 1970, as the clock
    /// said then.
    package var usedAt: Int64
    /// For how long it has been idle, in ms of time that the router has run; nil while it is in use.
    package var idleFor: Int64?
    /// Whether a session speaks for it.
    package var hasSession: Bool
}

/// What has come of forgetting a producer.
package enum ProducerForgetting: Equatable, Sendable {
    case forgotten
    /// No such producer is known.
    case unknown
    /// A session speaks for it, or a push of it is being handed out.
    case inUse
}

/// An app, as operators see it.
package struct AppFacts: Equatable, Sendable {
    package var app: String
    package var isPaused: Bool
    package var kinds: Int
    package var devices: Int
    package var widgets: Int
    /// Pushes that were accepted and RELOADs that were ordered, since the start.
    package var pushes: UInt64
    package var reloads: UInt64
    /// As in `AppFigures`.
    package var used = AppQuotas()
    package var quotas = AppQuotas()
}

/// A device in a list of them.
package struct DeviceSummary: Equatable, Sendable {
    package var device: String
    package var widgets: Int
    /// Whether a session speaks for it.
    package var isOnline: Bool
}

/// A device with all that is known of its widgets.
package struct DeviceFacts: Equatable, Sendable {
    package var app: String
    package var device: String
    /// Whether the app is: reloads wait then, whatever their widgets wait for besides.
    package var isPaused: Bool
    /// The slot of who speaks for it; nil if nobody does.
    package var connection: UInt32?
    package var isForeground: Bool
    /// `audio` or `navigation`; nil for none.
    package var media: String?
    package var widgets: [WidgetFacts]
    /// Oldest first.
    package var decisions: [DecisionFacts]
}

/// A widget: what it shows, what it waits for, and what it has left.
///
/// Times are in ms since 1970.
package struct WidgetFacts: Equatable, Sendable {
    package struct Date: Equatable, Sendable {
        /// When it reloads.
        package var at: Int64
        /// The second of its place in the origin's ledger; nil if it holds none.
        package var slot: Int64?
    }

    package struct Budget: Equatable, Sendable {
        package var used: Int
        package var allowance: Int
        /// What of it only urgent pushes may use, and widgets that come into sight.
        package var reserve: Int
        /// When a unit is there for a usual push; nil if one is there now.
        package var nextAt: Int64?
    }

    package var widget: String
    package var kind: String
    /// As JSON.
    package var configuration: String
    /// Where its next reload waits: a `ReloadStage`.
    package var stage: String
    /// Why it is wanted; nil if none is.
    package var cause: ReloadCause?
    /// Until when at the latest, if that is known.
    package var waitsUntil: Int64?
    /// The seq of the last RELOAD that named it; 0 for none.
    package var lastReload: UInt64
    /// Only of kinds with a budget or a spacing.
    package var lastReloadAt: Int64?
    /// Whether a TIMELINE has come since.
    package var isAnswered: Bool
    package var date: Date?
    /// Nil if its reloads are not counted.
    package var budget: Budget?
    /// The carried values that are known, as a JSON object; nil if its kind carries none.
    package var shown: String?
}

/// A decision, with a sentence.
package struct DecisionFacts: Equatable, Sendable {
    /// In ms since 1970.
    package var at: Int64
    /// Nil if the widget is gone.
    package var widget: String?
    package var reason: DecisionReason
    package var cause: ReloadCause
    package var until: Int64?
    package var text: String
}

/// A place that a date was given, for an app that holds no connection.
package struct GivenSlot: Equatable, Sendable {
    /// In ms since 1970.
    package var reloadAt: Int64
    /// How much later that is than was asked for, in ms.
    package var slotDelay: Int64
}

/// An origin and its next seconds.
package struct OriginFacts: Equatable, Sendable {
    package var app: String
    /// Empty for that of the kinds that name none.
    package var origin: String
    /// Nil without a rate.
    package var perSecond: Int?
    /// Reloads that wait for their turn.
    package var waiting: Int
    /// Dates that hold a place.
    package var held: Int
    /// Where the lists begin, in ms since 1970.
    package var secondsFrom: Int64
    /// For each second, how many dates lie in it, before they were spread.
    package var asked: [Int]
    /// For each second, how many reloads have their place in it.
    package var given: [Int]
}
