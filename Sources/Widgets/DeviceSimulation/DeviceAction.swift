package import ReloadModel

/// What a device has to have done for it.
package enum DeviceAction {
    /// The router has to be told of all widgets: WIDGETS.
    case register
    /// The router has to be told what a widget shows from now on: TIMELINE.
    case report(TimelineReport)
    /// The router has to be told what changed: STATE.
    case tell(DeviceChange)
    /// The app asks for a reload of a kind, or of all: REQUEST.
    case request(kind: String?, isDownload: Bool)
    /// A provider has to be asked; the device is told the answer.
    case ask(ProviderQuestion)
    /// Something is to be seen that was not, or could have been.
    case rendered(Rendering)
    /// A reload joined one that was waiting already.
    case coalesced(widget: Int)
    /// A reload waits for the device's own budget.
    case held(widget: Int)
    /// The system has ended the extension that made a timeline; the timeline is lost.
    case ended(widget: Int, ExtensionEnd)
}

/// What a provider is asked for a widget.
package struct ProviderQuestion: Equatable, Sendable {
    package enum Subject: Equatable, Sendable {
        /// What the gallery shows.
        case sample
        /// What is to be seen before there is a timeline; answered at once.
        case placeholder
        case timeline
    }

    package let widget: Int
    package let subject: Subject
    /// Tells an answer that comes too late from the one that is waited for.
    package let number: UInt32
    /// What the reload brought along for the widget, a JSON object.
    package var values: String?
}

/// Why a widget reloads.
package enum ReloadOccasion: Equatable, Sendable {
    /// It was put on the screen.
    case added
    /// The router said so.
    case reload(seq: UInt64, ReloadCause)
    /// The date of its timeline came, by the device's own timer.
    case date
    /// Somebody used a button of it.
    case intent
    /// The system's language or region changed.
    case locale
    /// A setting such as Dynamic Type changed.
    case accessibility

    /// In one word: the router's cause, or the device's reason.
    package var name: String {
        switch self {
        case .added: "added"
        case .reload(_, let cause): cause.rawValue
        case .date: "date"
        case .intent: "intent"
        case .locale: "locale"
        case .accessibility: "accessibility"
        }
    }

    /// Whether the system does not count it.
    var isFree: Bool {
        switch self {
        case .added, .intent, .locale, .accessibility: true
        case .reload(_, let cause): cause == .location
        case .date: false
        }
    }
}

/// What TIMELINE says.
package struct TimelineReport: Equatable, Sendable {
    package let widget: Int
    package let occasion: ReloadOccasion
    /// In ms since 1970, ascending.
    package let entries: [Int64]
    /// A date in ms since 1970.
    package let policy: Policy
    /// Whether the device reloads by itself at the date that the router tells.
    package let hasOwnTimer: Bool

    package enum Policy: Equatable, Sendable {
        case never
        case atEnd
        case after(Int64)
    }
}

/// What STATE says; what is nil has not changed.
package struct DeviceChange: Equatable, Sendable {
    package var isForeground: Bool?
    package var media: DeviceMedia?
    /// The ids of all widgets in sight.
    package var visible: [String]?
    package var hasMoved = false

    package init() {}
}

/// What the app plays.
package enum DeviceMedia: String, CaseIterable, Codable, Sendable {
    case silent, audio, navigation
}

/// Something was drawn.
package struct Rendering: Equatable, Sendable {
    package let widget: Int
    package let occasion: Occasion
    /// When the provider was asked, in ms since 1970.
    package let askedAt: Int64
    /// Whether other text is to be seen than would be without it.
    package let isNew: Bool
    /// What is wrong with the timeline, though it is played.
    package let faults: TimelineFaults

    package enum Occasion: Equatable, Sendable {
        case sample
        case placeholder
        case timeline(ReloadOccasion)
    }
}

/// Why the system ended an extension.
package enum ExtensionEnd: Equatable, Sendable {
    /// Its timeline takes so many bytes.
    case memory(Int)
    /// Its provider did not answer in time.
    case time
}
