package import FrameCodec

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
    /// Why: `push`, `after`, `atEnd`, `request`, `download`, `visible`, `location` or `budget`.
    public let cause: String
    /// What widgets can be rendered from without a call to the origin: by widget, a JSON object of
    /// the fields that its kind carries, as it came.
    ///
    /// Nil if the reload brings none. A widget that is missing there must ask the origin.
    public let values: [String: String]?
    /// The frame's body as it came, a JSON object.
    public let body: [UInt8]

    /// Makes an event.
    public init(
        seq: UInt64,
        device: String,
        kinds: [String],
        widgets: [String],
        cause: String,
        values: [String: String]? = nil,
        body: [UInt8]
    ) {
        self.seq = seq
        self.device = device
        self.kinds = kinds
        self.widgets = widgets
        self.cause = cause
        self.values = values
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

/// Why a timeline was made that answers no reload of the router.
public enum UnaskedReason: String, CaseIterable, Equatable, Sendable {
    /// Somebody used a button or a toggle of the widget.
    case intent
    /// The system's language or region changed.
    case locale
    /// A setting such as Dynamic Type changed.
    case accessibility
    /// WidgetKit reloaded by itself, at the date of the timeline before.
    case date
    /// The app itself called `reloadTimelines`.
    case request
}

/// What the app that a widget belongs to plays; while it does, its widgets' reloads cost nothing.
public enum MediaActivity: String, CaseIterable, Equatable, Sendable {
    /// Nothing, or nothing any more.
    case silent
    /// Sound, in the background too.
    case audio
    /// Directions on the way.
    case navigation
}

/// The date that the router has given to a timeline with the policy `after` or `atEnd`.
public struct ScheduledReload: Equatable, Sendable {
    /// When the widget is reloaded, in milliseconds since 1970.
    public let reloadAt: Int64
    /// How much later that is than was asked for, in milliseconds.
    public let slotDelay: Int64
    /// What the app should change; nil if all is well.
    ///
    /// `entries-close` if two entries are less than 300 s apart.
    public let warning: String?

    /// Makes a date.
    public init(reloadAt: Int64, slotDelay: Int64, warning: String? = nil) {
        self.reloadAt = reloadAt
        self.slotDelay = slotDelay
        self.warning = warning
    }
}

/// For whom a `DeviceClient` speaks.
public enum DeviceRole: Equatable, Sendable {
    /// One device; the router takes no frame for another one.
    case device(String)
    /// Many devices of an app, over one connection.
    case gateway
}

extension TimelinePolicy {
    init(_ policy: ReloadPolicy) {
        self =
            switch policy {
            case .atEnd: .atEnd
            case .never: .never
            case .after(let date): .after(date)
            }
    }
}

extension StateMessage.Media {
    package init(_ activity: MediaActivity) {
        self =
            switch activity {
            case .silent: .none
            case .audio: .audio
            case .navigation: .navigation
            }
    }
}
