internal import Basics
package import FrameCodec

/// The router's instruction to a device to reload widgets.
///
/// Reloading is idempotent: a reloaded widget fetches what is current, however often it is
/// reloaded.
public struct ReloadEvent: Equatable, Sendable {
    /// The reload's number, which `DeviceClient.answer` returns to the router; it ascends within a
    /// session.
    public let seq: UInt64
    /// The device to which the widgets belong.
    public let device: String
    /// The kinds of these widgets, each once.
    public let kinds: [String]
    /// The ids of the widgets to reload.
    public let widgets: [String]
    /// Why: `push`, `after`, `atEnd`, `request`, `download`, `visible`, `location` or `budget`.
    public let cause: String
    /// The values inlined in the reload, from which widgets can be rendered without a request to
    /// the origin: by widget id, the text of a JSON object with the fields that the widget's kind
    /// inlines.
    ///
    /// Nil if the reload brings no values. A widget without an entry must ask the origin.
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

/// When a timeline asks to be reloaded: the counterpart of WidgetKit's `TimelineReloadPolicy`.
public enum ReloadPolicy: Equatable, Sendable {
    /// When its last entry is displayed.
    case atEnd
    /// Only after a push or a reload request.
    case never
    /// Not before this date, in milliseconds since 1970.
    case after(Int64)
}

/// Why a timeline was made that does not answer a reload of the router.
public enum UnaskedReason: String, CaseIterable, Equatable, Sendable {
    /// The user tapped a button or a toggle of the widget.
    case intent
    /// The system's language or region changed.
    case locale
    /// A setting such as Dynamic Type changed.
    case accessibility
    /// WidgetKit reloaded by itself, at the date of the previous timeline.
    case date
    /// The app itself called `reloadTimelines`.
    case request
}

/// What an app plays; while it plays something, the reloads of its widgets are not charged to their
/// budgets.
public enum MediaActivity: String, CaseIterable, Equatable, Sendable {
    /// Nothing, or nothing any longer.
    case silent
    /// Sound, including in the background.
    case audio
    /// Spoken directions of a navigation.
    case navigation
}

/// The date that the router has assigned to a timeline with the policy `after` or `atEnd`.
public struct ScheduledReload: Equatable, Sendable {
    /// When the widget is reloaded, in milliseconds since 1970.
    public let reloadAt: Int64
    /// How much later than requested that is, in milliseconds.
    public let slotDelay: Int64
    /// A code for something that the app should change; nil if there is nothing.
    ///
    /// `entries-close` means that two entries are less than 300 s apart, and `loop` that the device
    /// asks to be reloaded at once after each RELOAD, so that the date is later.
    public let warning: String?

    /// Makes a scheduled reload.
    public init(reloadAt: Int64, slotDelay: Int64, warning: String? = nil) {
        self.reloadAt = reloadAt
        self.slotDelay = slotDelay
        self.warning = warning
    }
}

/// Whether a `DeviceClient` speaks for one device or for many.
public enum DeviceRole: Equatable, Sendable {
    /// One device, by its name; the router rejects frames about another one.
    case device(String)
    /// Many devices of one app, over one connection.
    case gateway
}

extension TimelinePolicy {
    init(_ policy: ReloadPolicy) {
        self =
            switch policy {
            case .atEnd: .atEnd
            case .never: .never
            case .after(let date): .after(WallTime(rawValue: date))
            }
    }
}

extension StateMessage.Media {
    /// Translates what the app plays into the member `media` of STATE.
    package init(_ activity: MediaActivity) {
        self =
            switch activity {
            case .silent: .none
            case .audio: .audio
            case .navigation: .navigation
            }
    }
}
