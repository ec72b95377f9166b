internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling

/// The router's record of a stored widget; the matcher has its rule and configuration.
///
/// Whose it is, what it has been told, and where its next reload waits; `WidgetSchedule` has the
/// rest.
struct WidgetRecord: BitwiseCopyable {
    /// No widget, no device, no connection.
    static var none: UInt32 { UInt32.max }
    /// The record of a number that no widget has.
    static var empty: WidgetRecord {
        WidgetRecord(device: none, name: none, kind: 0, nameCount: 0)
    }

    /// Flag: a RELOAD has been sent, and no TIMELINE has named it.
    static var unanswered: UInt8 { 1 }
    /// Flag: the device last said that the widget is in sight.
    static var visible: UInt8 { 2 }
    /// Flag: the timeline's date is its end and not a date asked for.
    static var dueAtEnd: UInt8 { 4 }
    /// Flag: the device reloads at the timeline's date by itself.
    static var ownTimer: UInt8 { 8 }
    /// Flag: a RELOAD was dropped, or the date has passed at which the device reloads by itself, so
    /// that the widget may show what is no longer true.
    static var stale: UInt8 { 16 }
    /// Flag: the pending RELOAD is one sent before; it has been paid for.
    static var resent: UInt8 { 32 }
    /// Flag: the timeline's date had passed when the widget was given its slot, which is when it
    /// reloads; see `ReloadState.displace`.
    static var displaced: UInt8 { 128 }
    /// Flag: see `isMarked`.
    private static var marked: UInt8 { 64 }

    var device: DeviceID
    /// The device's next widget.
    var nextOfDevice: WidgetID = none
    /// The next widget in the device's pending chain.
    ///
    /// A `debounced` widget is in no such chain, and has `stormLimit` in these bits.
    var nextPending: WidgetID = none
    /// The id, in the names arena.
    var name: UInt32
    /// The sequence number of the last RELOAD that named the widget; 0 for none.
    var lastReload: UInt64 = 0
    var kind: KindID
    var nameCount: UInt8
    var flags: UInt8 = 0
    /// Where the widget's next reload waits.
    var stage = ReloadStage.idle
    /// Why it is wanted: the latest cause.
    var cause = ReloadCause.push
    /// Its place among the reloads that wait at an origin.
    var rank = ReloadRank.other
    /// The rights that its causes give it.
    var rights: ReloadRights = []

    @inline(__always)
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// Used while a device's widgets are gone through: it was in sight before the STATE that is being
    /// read, or is named in the RELOAD that is being made.
    var isMarked: Bool {
        get { has(Self.marked) }
        set { flags = newValue ? flags | Self.marked : flags & ~Self.marked }
    }

    /// Whether its next reload goes before others because a push says so.
    @inline(__always)
    var isUrgent: Bool { if case .urgent = rank { true } else { false } }

    /// When the first push of a storm has waited long enough.
    var stormLimit: StormTime {
        get { StormTime(sixteenths: nextPending) }
        set { nextPending = newValue.sixteenths }
    }
}

/// Where a widget's next reload waits; at most one is pending.
///
///     idle ─► debounced ─► deferred ─► queued ─► ready ─► RELOAD
///                              └─► held (offline), and on from there when a session begins
enum ReloadStage: UInt8, BitwiseCopyable {
    /// None is pending, but for the timeline's date.
    case idle
    /// Until the storm of pushes is over; a timer runs.
    case debounced
    /// Until budget and spacing allow it; a timer runs.
    case deferred
    /// Until it is its turn at the origin.
    case queued
    /// Until a session of its device begins.
    case held
    /// In its device's pending chain: it is sent in the next step, or when the device can take it.
    case ready
}

/// The router's record of a stored device.
struct DeviceRecord: BitwiseCopyable {
    static var none: UInt32 { UInt32.max }
    /// The record of a number that no device has.
    static var empty: DeviceRecord { DeviceRecord(name: none, app: 0, nameCount: 0) }

    /// Flag: one of the pending causes is urgent.
    static var urgent: UInt8 { 2 }
    /// Flag: the containing app is in the foreground.
    static var foreground: UInt8 { 4 }
    /// Flag: a finished download has made it reload since the last other reload.
    static var downloaded: UInt8 { 8 }
    /// Flag: since the last RELOAD the device has asked for one.
    static var asked: UInt8 { 16 }

    /// The id, in the names arena.
    var name: UInt32
    var pushToken: UInt32 = none
    var pushTokenCount: UInt16 = 0
    var widgetCount: UInt16 = 0
    var firstWidget: WidgetID = none
    /// The newest of the widgets that a RELOAD is pending for; the chain goes on in the widgets.
    var firstPending: WidgetID = none
    /// The connection that speaks for the device, while the session on it is this one.
    var connection: UInt32 = none
    var session: UInt64 = 0
    /// When every cause of the pending chain is void, in ms of wall time; `Int64.max` for never.
    var voidAt = Int64.min
    /// When a RELOAD was last sent to the device, in ms of the monotonic clock; 0 for never.
    var lastReloadAt: Int64 = 0
    var app: AppID
    var nameCount: UInt8
    var flags: UInt8 = 0
    /// The latest cause of the pending chain.
    var cause = ReloadCause.push
    /// How often in a row the device has asked for a reload right after one.
    var loopCount: UInt8 = 0
    var media = StateMessage.Media.none

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// Whether WidgetKit counts no reload now.
    var isExempt: Bool { has(Self.foreground) || media != .none }
}

/// The state's record of a connection's slot: its session, or the last one that it had.
struct SessionRecord: BitwiseCopyable {
    static var none: UInt32 { UInt32.max }

    /// The role of the session's peer; nil if the slot has no session.
    var role: Peer?
    var nameCount: UInt8 = 0
    var app: AppID = 0
    /// No two sessions have the same number; 0 for none yet.
    var number: UInt64 = 0
    /// The producer that a publisher's session speaks for.
    var subject = none
    /// The id of a device of its own, in the names arena: it may have no stored widgets yet.
    var name = none
    /// Stored devices that the session speaks for.
    var deviceCount: UInt32 = 0
    /// The sequence number of the last RELOAD sent to this session.
    var lastReload: UInt64 = 0
}
