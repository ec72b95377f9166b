internal import Basics
internal import FrameCodec
internal import ReloadScheduling

/// The router's record of a stored widget: its device, its last RELOAD, and its pending reload.
///
/// `WidgetSchedule` has its budget and dates; the matcher has its rule and configuration.
struct WidgetRecord: BitwiseCopyable {
    /// The record at a number that no widget has.
    static var empty: WidgetRecord {
        WidgetRecord(device: .none, name: ByteArena.none, kind: .first, nameCount: 0)
    }

    /// Flag: the last RELOAD that named the widget has not been answered by a TIMELINE.
    static var unanswered: UInt8 { 1 }
    /// Flag: the device last reported the widget as visible.
    static var visible: UInt8 { 2 }
    /// Flag: the timeline's date comes from the policy `atEnd` and not from `after`.
    static var dueAtEnd: UInt8 { 4 }
    /// Flag: the device reloads the widget at the timeline's date on its own.
    static var ownTimer: UInt8 { 8 }
    /// Flag: a reload expired, or the date has passed at which the device reloads the widget on its
    /// own, so the widget may show outdated values.
    static var stale: UInt8 { 16 }
    /// Flag: the pending RELOAD repeats one that was sent and perhaps lost; it has been paid for.
    static var resent: UInt8 { 32 }
    /// Flag: the timeline's date had passed, by a clock that may be wrong, when the widget was
    /// given its slot; the slot says when it reloads. See `Schedules.displace`.
    static var displaced: UInt8 { 128 }
    /// Flag: see `isMarked`.
    private static var marked: UInt8 { 64 }

    var device: DeviceID
    /// The next widget of the same device.
    var nextOfDevice: WidgetID = .none
    /// The next widget in the device's pending chain.
    ///
    /// A `debounced` widget is in no such chain; these bits hold its `debounceLimit`.
    var nextPending: WidgetID = .none
    /// Where the widget's id begins in the arena `DeliveryTable.names`.
    var name: UInt32
    /// The sequence number of the last RELOAD that named the widget; 0 for none.
    var lastReload: UInt64 = 0
    var kind: KindID
    var nameCount: UInt8
    var flags: UInt8 = 0
    /// Where the pending reload waits; `idle` if none is pending.
    var stage = ReloadStage.idle
    /// The cause that RELOAD will name: usually the latest. A date does not replace the cause of a
    /// request, and a reload that was deferred gets the cause `budget`.
    var cause = ReloadCause.push
    /// The rank of the pending reload among those that wait for a permit.
    var rank = ReloadRank.other
    /// The privileges that its causes give the pending reload.
    var privileges: ReloadPrivileges = []

    /// Whether a flag is set.
    @inline(__always)
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// Whether the widget is marked, which it is only during a walk over its device's widgets: it
    /// was visible before the STATE that is being applied, or is named in the RELOAD that is being
    /// made.
    var isMarked: Bool {
        get { has(Self.marked) }
        set { flags = newValue ? flags | Self.marked : flags & ~Self.marked }
    }

    /// Whether an urgent push has requested the pending reload.
    @inline(__always)
    var isUrgent: Bool { if case .urgent = rank { true } else { false } }

    /// When the first push of a debounced reload has waited for as long as it may.
    var debounceLimit: DebounceTime {
        get { DebounceTime(sixteenths: nextPending.rawValue) }
        set { nextPending = WidgetID(rawValue: newValue.sixteenths) }
    }
}

/// Where a widget's next reload waits; at most one is pending.
///
///     idle ─► debounced ─► deferred ─► queued ─► ready ─► RELOAD
///                              └─► awaitingSession, until a session begins; then decided again
enum ReloadStage: UInt8, BitwiseCopyable, CaseIterable {
    /// No reload is pending; the timeline may have a date.
    case idle
    /// Waits for the end of its debounce window; a timer runs.
    case debounced
    /// Waits until budget and spacing allow it; a timer runs.
    case deferred
    /// Waits for a permit at its origin.
    case queued
    /// Awaits a session of its device.
    case awaitingSession
    /// In its device's pending chain: sent in the next step, or once the device has a session whose
    /// connection accepts output, and the app is not paused.
    case ready

    /// What the admin API, the metrics and the state dump call the stage.
    ///
    /// Readers depend on these names, so a case that is renamed keeps its own here.
    var name: String {
        switch self {
        case .idle: "idle"
        case .debounced: "debounced"
        case .deferred: "deferred"
        case .queued: "queued"
        case .awaitingSession: "held"
        case .ready: "ready"
        }
    }
}

/// The router's record of a stored device: its session, its last reports and its pending chain.
struct DeviceRecord: BitwiseCopyable {
    /// The record at a number that no device has.
    static var empty: DeviceRecord { DeviceRecord(name: ByteArena.none, app: .first, nameCount: 0) }

    /// Flag: the device's pushes are background pushes, because the app has a token, and its
    /// widgets have none that is of use.
    static var background: UInt8 { 1 }
    /// Flag: one of the reloads in the pending chain is urgent.
    static var urgent: UInt8 { 2 }
    /// Flag: the device last reported that the widgets' app is in the foreground.
    static var foreground: UInt8 { 4 }
    /// Flag: a finished download has requested a reload since the last RELOAD of another cause.
    static var downloaded: UInt8 { 8 }
    /// Flag: the device has requested a reload since the last RELOAD, other than for a download.
    static var asked: UInt8 { 16 }
    /// Flag: APNs reaches the device while it has no session. The device or one of its controls has
    /// a token that is not known to be dead, and its app has settings.
    static var pushable: UInt8 { 32 }
    /// Flag: a push is under way.
    static var pushing: UInt8 { 64 }
    /// Flag: the push token is for Apple's sandbox.
    static var sandbox: UInt8 { 128 }

    /// Where the device's id begins in the arena `DeliveryTable.names`.
    var name: UInt32
    /// Where the widgets' push token begins in the arena `APNsTable.texts`; `none` for no token.
    var pushToken = ByteArena.none
    var pushTokenCount: UInt16 = 0
    var widgetCount: UInt16 = 0
    var firstWidget: WidgetID = .none
    /// The widget that was added last to the pending chain, which continues in `nextPending` of the
    /// widgets; `none` if no RELOAD is pending.
    var firstPending: WidgetID = .none
    /// The connection that speaks for the device, as long as its session has the number `session`.
    var connection: ConnectionSlot = .none
    var session: UInt64 = 0
    /// When all causes in the pending chain have expired: `.max` for never, `.min` while the chain
    /// is empty.
    var expiresAt = WallTime.min
    /// When a RELOAD was last sent to the device; 0 for never.
    var lastReloadAt = MonotonicTime.zero
    var app: AppID
    var nameCount: UInt8
    var flags: UInt8 = 0
    /// The latest cause in the pending chain, which RELOAD names.
    var cause = ReloadCause.push
    /// How many times in a row the device has requested a reload right after one; at most 100.
    var loopCount: UInt8 = 0
    /// The media session that the device last reported.
    var media = StateMessage.Media.none
    /// The running time of the last sign of life, in seconds; see `DeliveryTable.heard`.
    var heardAt: UInt32 = 0

    /// Whether a flag is set.
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// The token of the device's widgets.
    var widgetsToken: StoredToken { StoredToken(text: pushToken, count: pushTokenCount) }
    /// The service that the device's tokens are for.
    var environment: APNsEnvironment { has(Self.sandbox) ? .sandbox : .production }
    /// The channel of the device's widgets, if there is one.
    var channel: APNsChannel { has(Self.background) ? .background : .widgets }
    /// The lane of the device's pushes, apart from those to controls.
    var lane: APNsLaneID { APNsLaneID(app: app, environment: environment, channel: channel) }

    /// Whether WidgetKit does not count the device's reloads at the moment.
    var isExempt: Bool { has(Self.foreground) || media != .none }
}

/// The state's record of a connection's slot: its present session, or else its last one.
struct SessionRecord: BitwiseCopyable {
    /// The role of the session's peer; nil if the slot has no session now.
    var role: Peer?
    var nameCount: UInt8 = 0
    var app = AppID.first
    /// The session's number, which no other session of the store has; 0 if the slot had none yet.
    var number: UInt64 = 0
    /// The number of the producer for which a publisher's session speaks; else `none`.
    var producer = ProducerID.none
    /// For a device's session, where the device's id begins in the arena `DeliveryTable.names`; the
    /// device may have no stored widgets yet. For other sessions `none`.
    var name = ByteArena.none
    /// The stored devices for which the session speaks.
    var deviceCount: UInt32 = 0
}
