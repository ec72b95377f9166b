internal import FrameCodec
internal import ReloadModel

/// What the router keeps of a stored widget beside its match data: what it has been told, and what
/// it is to be told.
struct WidgetRecord: BitwiseCopyable {
    /// No widget, no device, no connection.
    static var none: UInt32 { UInt32.max }

    /// Flag: a RELOAD for the widget has not been sent yet; it is in its device's pending chain.
    static var pending: UInt8 { 1 }
    /// Flag: a RELOAD has been sent, and no TIMELINE has named it.
    static var unanswered: UInt8 { 2 }
    /// Flag: the device last said that the widget is in sight.
    static var visible: UInt8 { 4 }
    /// Flag: `dueAt` is the end of a timeline and not a date asked for.
    static var dueAtEnd: UInt8 { 8 }

    var device: DeviceID
    /// The device's next widget.
    var nextOfDevice: WidgetID = none
    /// The next widget in the device's pending chain.
    var nextPending: WidgetID = none
    /// The id, in the names arena.
    var name: UInt32
    /// The sequence number of the last RELOAD that named the widget; 0 for none.
    var lastReload: UInt64 = 0
    /// When the timeline asks for a reload, in ms of wall time; `Int64.max` for never.
    var dueAt = Int64.max
    var kind: KindID
    var nameCount: UInt8
    var flags: UInt8 = 0

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
}

/// What the router keeps of a stored device.
struct DeviceRecord: BitwiseCopyable {
    static var none: UInt32 { UInt32.max }

    /// Flag: the device is in a queue of those that a RELOAD is due for.
    static var queued: UInt8 { 1 }
    /// Flag: one of the pending causes is urgent.
    static var urgent: UInt8 { 2 }
    /// Flag: the containing app is in the foreground.
    static var foreground: UInt8 { 4 }

    /// The id, in the names arena.
    var name: UInt32
    var pushToken: UInt32 = none
    var pushTokenCount: UInt16 = 0
    var widgetCount: UInt16 = 0
    var firstWidget: WidgetID = none
    /// The newest of the widgets that a RELOAD is pending for; the chain goes on in the widgets.
    var firstPending: WidgetID = none
    /// The connection that speaks for the device, valid while its generation is `generation`.
    var connection: UInt32 = none
    var generation: UInt32 = 0
    /// When every pending cause is void, in ms of wall time; `Int64.max` for never.
    var voidAt = Int64.min
    var app: AppID
    var nameCount: UInt8
    var flags: UInt8 = 0
    /// The latest cause.
    var cause = ReloadCause.push
    var media = StateMessage.Media.none

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
}

/// The pushes that are being matched: all of one connection, because they came in one read.
struct PushBatch: BitwiseCopyable {
    /// `none` if the connection has gone: nobody waits for the ACK then.
    var connection = ConnectionRecord.none
    /// What the ACK covers when the batch is finished.
    var lastSeq: UInt64 = 0
    /// Widgets that were found so far.
    var matched: UInt32 = 0
}

/// What the router keeps of a connection.
struct ConnectionRecord: BitwiseCopyable {
    static var none: UInt32 { UInt32.max }

    var session = Session()
    /// Counts the connections that had this slot, so that what was kept of an earlier one is known
    /// to be stale.
    var generation: UInt32 = 0
    var isOpen = false
    /// False while the connection's output is above its limit: RELOADs wait and coalesce.
    var isWritable = true
    var ackIsDue = false
    var pingsUnanswered: UInt8 = 0
    var app: AppID = 0
    /// The producer (publisher) or stored device (device) that the session speaks for.
    var subject = none
    /// The device's id (device), in the names arena: it may have no stored widgets yet.
    var name = none
    var nameCount: UInt8 = 0
    var ackSeq: UInt64 = 0
    /// Widgets that the pushes of the next ACK concern.
    var matched: UInt32 = 0
    /// The sequence number of the last RELOAD sent to this session.
    var lastReload: UInt64 = 0
    /// When the last whole frame arrived, or the connection was opened; ms, monotonic.
    var lastFrameAt: Int64 = 0
    /// When the incomplete frame at the end of the input began; 0 for none.
    var partialSince: Int64 = 0
}
