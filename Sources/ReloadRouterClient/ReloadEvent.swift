/// The router tells a device to reload widgets.
///
/// Reloading is idempotent: a widget that is reloaded fetches what is current, however often it was
/// told to.
public struct ReloadEvent: Equatable, Sendable {
    /// The number that `DeviceClient.answer` names; it rises within a session.
    public let seq: UInt64
    /// The device whose widgets are meant.
    public let device: String
    /// The kinds of these widgets, each once.
    public let kinds: [String]
    /// The ids of the widgets to reload.
    public let widgets: [String]
    /// Why: `push`, `after`, `atEnd`, `request`, `visible`, `location` or `budget`.
    public let cause: String
    /// The frame's body as it came, a JSON object.
    public let body: [UInt8]

    /// Makes an event.
    public init(
        seq: UInt64,
        device: String,
        kinds: [String],
        widgets: [String],
        cause: String,
        body: [UInt8]
    ) {
        self.seq = seq
        self.device = device
        self.kinds = kinds
        self.widgets = widgets
        self.cause = cause
        self.body = body
    }
}

/// When a timeline asks to be reloaded: WidgetKit's `TimelineReloadPolicy`.
public enum ReloadPolicy: Equatable, Sendable {
    /// When its last entry is shown.
    case atEnd
    /// Only when a push or a request says so.
    case never
    /// Not before this date, in milliseconds since 1970.
    case after(Int64)
}

/// The date that the router has given to a timeline with the policy `after`.
public struct ScheduledReload: Equatable, Sendable {
    /// When the widget is reloaded, in milliseconds since 1970.
    public let reloadAt: Int64
    /// How much later that is than was asked for, in milliseconds.
    public let slotDelay: Int64

    /// Makes a date.
    public init(reloadAt: Int64, slotDelay: Int64) {
        self.reloadAt = reloadAt
        self.slotDelay = slotDelay
    }
}

/// For whom a `DeviceClient` speaks.
public enum DeviceRole: Equatable, Sendable {
    /// One device; the router takes no frame for another one.
    case device(String)
    /// Many devices of an app, over one connection.
    case gateway
}
