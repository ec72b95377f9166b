package import Basics

/// One open connection, as operators see it.
package struct ConnectionView: Equatable, Sendable {
    /// The connection's slot, which the driver (see `Router`) has chosen; reused after it is
    /// closed.
    package var slot: ConnectionSlot
    /// `publisher`, `device`, `gateway`, `awaitingHello` or `ended`.
    package var role: String
    /// The app of its session; nil before HELLO and after the session's end.
    package var app: String?
    /// The producer's name or the device's id; nil for gateways, and without a session.
    package var name: String?
    /// When its last frame arrived or it was opened; moved forward by the times in which the
    /// router did not read from it.
    package var lastFrameAt: MonotonicTime
    /// The frames that were accepted from it.
    package var frames: UInt64
    /// The frames accepted from it that no ACK covers yet.
    package var unacknowledged: Int
    /// The stored devices for which its session speaks.
    package var devices: Int
    /// Whether the router accepts no frames from it at the moment.
    package var isPaused: Bool
}

/// A producer, as operators see it.
package struct ProducerView: Equatable, Sendable {
    /// The app to which the producer belongs.
    package var app: String
    /// The name in the producer's HELLO, unique in its app.
    package var name: String
    /// The sequence number of the last push that was accepted; 0 for none.
    package var lastSeq: UInt64
    /// When it became idle or, while it is in use, when its last session began; as the wall
    /// clock was then.
    package var usedAt: WallTime
    /// How long it has been idle, in time in which the router ran; nil while it is in use.
    package var idleFor: Milliseconds?
    /// Whether a session speaks for it.
    package var hasSession: Bool
}

/// The outcome of an operator's request to forget a producer.
package enum ProducerForgetting: Equatable, Sendable {
    /// The producer was known, and is forgotten now.
    case forgotten
    /// No such producer is known.
    case unknown
    /// A session speaks for it, or one of its fan-outs is not finished.
    case inUse
}

/// An app, as operators see it.
package struct AppView: Equatable, Sendable {
    /// The app's name.
    package var app: String
    /// Whether an operator has paused it: its pushes are not accepted, and its reloads wait.
    package var isPaused: Bool
    /// The kinds that the app file declares for it.
    package var kinds: Int
    /// Its stored devices.
    package var devices: Int
    /// The stored widgets of its devices.
    package var widgets: Int
    /// The pushes accepted since the start of the process.
    package var pushes: UInt64
    /// The RELOADs made since the start of the process.
    package var reloads: UInt64
    /// What it uses of each quota; nil for what is not counted by app.
    package var used = AppQuotas()
    /// Its quotas, from the app file or else from the router's settings; nil for no quota.
    package var quotas = AppQuotas()
}

/// A device in a list of an app's devices.
package struct DeviceSummary: Equatable, Sendable {
    /// The device's id.
    package var device: String
    /// The number of its stored widgets.
    package var widgets: Int
    /// Whether a session speaks for it.
    package var isOnline: Bool
}

/// A device with everything that is known about its widgets.
package struct DeviceView: Equatable, Sendable {
    /// The name of the device's app.
    package var app: String
    /// The device's id.
    package var device: String
    /// Whether its app is paused: then reloads wait, whatever else their widgets wait for.
    package var isPaused: Bool
    /// The slot of the connection that speaks for it; nil if there is none.
    package var connection: ConnectionSlot?
    /// Whether the device last reported that the app is in the foreground.
    package var isForeground: Bool
    /// `audio` or `navigation`; nil for none.
    package var media: String?
    /// When something was last heard of it: a frame or report about it, or its session.
    package var heardAt: WallTime
    /// What is known of the pushes to it by APNs; nil if it has no token.
    package var push: APNsPushView?
    /// Its widgets, in the order of its last WIDGETS frame.
    package var widgets: [WidgetView]
    /// The last decisions on its widgets, oldest first.
    package var decisions: [DecisionView]
}

/// A widget: what it shows, what it waits for, and what is left of its budget.
package struct WidgetView: Equatable, Sendable {
    /// The date at which the widget's timeline asks for a reload.
    package struct Date: Equatable, Sendable {
        /// When the widget reloads, its slot's delay included.
        package var at: WallTime
        /// The beginning of its slot's second in the origin's ledger; nil if it has no slot.
        package var slot: WallTime?
    }

    /// Whether the device has the inlined values that are known.
    package enum ValueState: String, Sendable {
        /// The last RELOAD brought them.
        case sent
        /// The pending reload will bring them, unless a push changes them until then.
        case waiting
        /// It is not certain that a RELOAD brought them: none was sent, the reload that was to
        /// bring them was dropped, or a push that changes no observed field has brought others.
        case known
    }

    /// What the widget has used of its budget.
    package struct Budget: Equatable, Sendable {
        /// The counted reloads of the last 24 hours.
        package var used: Int
        /// The reloads that it may have in 24 hours.
        package var allowance: Int
        /// The part of the allowance kept for urgent pushes and for widgets that come into view.
        package var reserve: Int
        /// When the budget allows the next reload for an ordinary push; nil if it does now.
        package var nextAt: WallTime?
    }

    /// The widget's id, unique on its device.
    package var widget: String
    /// The name of its kind.
    package var kind: String
    /// Its configuration, as a JSON object.
    package var configuration: String
    /// Where its next reload waits: the name of a `ReloadStage`.
    package var stage: String
    /// The cause of the pending reload; nil if none is pending.
    package var cause: ReloadCause?
    /// When the pending reload stops waiting at the latest; nil if that is not known.
    package var waitsUntil: WallTime?
    /// The sequence number of the last RELOAD that named it; 0 for none.
    package var lastReload: UInt64
    /// When it last reloaded; nil for never, and for kinds with neither a budget nor a spacing.
    package var lastReloadAt: WallTime?
    /// False from a RELOAD that names it until a TIMELINE answers that RELOAD.
    package var isAnswered: Bool
    /// The date of its timeline; nil if that asks for none.
    package var date: Date?
    /// What it has used of its budget; nil if its reloads are not counted.
    package var budget: Budget?
    /// The inlined values that are known, as a JSON object; nil if its kind inlines none.
    package var inlinedValues: String?
    /// Whether the device has these values; nil if its kind inlines none, or none are known.
    package var valueState: ValueState?
    /// For a control with a push token, what APNs has said of it.
    package var controlTokenState: TokenState?
}

/// A decision on a reload of a widget, with a sentence that explains it.
package struct DecisionView: Equatable, Sendable {
    /// When it was decided.
    package var at: WallTime
    /// The widget's id; nil if it has been removed since.
    package var widget: String?
    /// What was decided.
    package var reason: DecisionReason
    /// Why the reload was requested.
    package var cause: ReloadCause
    /// When the reload's wait ends; nil if it does not wait or that is not known.
    package var until: WallTime?
    /// The push that it was made for; nil if something else led to it, or the push is not kept.
    package var push: PushView?
    /// What the decision means, as a sentence without its full stop.
    package var text: String
}

/// The slot for a date that was requested over HTTP, without a connection.
package struct AssignedSlot: Equatable, Sendable {
    /// When the reload is to happen.
    package var reloadAt: WallTime
    /// How much later that is than the date requested.
    package var slotDelay: Milliseconds
}

/// An origin and the use of its next seconds.
package struct OriginView: Equatable, Sendable {
    /// The name of the app that declares the origin.
    package var app: String
    /// The origin's name; empty for the origin of the app's kinds that name none.
    package var origin: String
    /// The requests that it can take in a second; nil if it has no rate.
    package var perSecond: Int?
    /// The entries in its queue of reloads that wait for a permit, stale ones included.
    package var waiting: Int
    /// The scheduled reloads that have a slot in its ledger.
    package var slotCount: Int
    /// The beginning of the first second in `requested` and `assigned`.
    package var secondsFrom: WallTime
    /// For each second, the number of dates in it before they are spread; dates that are spread at
    /// random are left out.
    package var requested: [Int]
    /// For each second, how many reloads the ledger has assigned to it.
    package var assigned: [Int]
}
