package import Basics
package import FrameCodec

/// What a `SimulatedDevice` asks its driver to do; the driver sends frames, runs providers and
/// counts.
package enum DeviceAction {
    /// Send WIDGETS with all widgets to the router.
    case register
    /// Send TIMELINE to the router: a widget has a new timeline.
    case report(TimelineReport)
    /// Send STATE to the router: something about the device has changed.
    case notify(DeviceChange)
    /// Send REQUEST to the router: the app asks for a reload of a kind, or of all kinds if it is
    /// nil.
    case request(kind: String?, isDownload: Bool)
    /// Run a provider, and pass its answer to the device.
    case ask(ProviderQuestion)
    /// Count a rendering: the widget displays an answer of its provider, which may be the same as
    /// before.
    case rendered(Rendering)
    /// Count a reload that was merged with one that was waiting already.
    case coalesced(widget: Int)
    /// Count a reload that waits for the device's own budget.
    case postponed(widget: Int)
    /// Count an extension (the process that runs a widget's provider) that the system has ended
    /// for its memory or its time; its timeline is lost.
    case ended(widget: Int)
}

/// A request to a widget's provider.
package struct ProviderQuestion: Equatable, Sendable {
    /// What the provider is asked to make.
    package enum Subject: Equatable, Sendable {
        /// The snapshot that the gallery displays.
        case sample
        /// The placeholder that is displayed before there is a timeline; the provider answers at
        /// once.
        case placeholder
        /// The timeline of a widget on the screen.
        case timeline
    }

    /// The index of the widget on its device.
    package let widget: Int
    /// What the provider is asked to make.
    package let subject: Subject
    /// Distinguishes the awaited answer from one that comes too late.
    package let number: UInt32
    /// The values inlined in the reload for the widget, a JSON object; nil if there are none.
    package var values: String?
}

/// The reason why a widget reloads.
package enum ReloadOccasion: Equatable, Sendable {
    /// It was put on the screen.
    case added
    /// The router sent RELOAD with this sequence number and cause.
    case reload(seq: UInt64, ReloadCause)
    /// A push came by APNs, which names no kind: all of the app's widgets reload.
    case push
    /// The date of its timeline came, according to the device's own timer.
    case date

    /// The reason in one word: the router's cause, or the device's own reason.
    package var name: String {
        switch self {
        case .added: "added"
        case .reload(_, let cause): cause.rawValue
        case .push: "apns"
        case .date: "date"
        }
    }

    /// Whether the reload is free: the system does not charge it to the widget's budget.
    var isFree: Bool {
        switch self {
        case .added: true
        case .reload(_, let cause): cause == .location
        case .push, .date: false
        }
    }
}

/// The content of a TIMELINE frame.
package struct TimelineReport: Equatable, Sendable {
    /// The index of the widget on its device.
    package let widget: Int
    /// Why the widget was reloaded.
    package let occasion: ReloadOccasion
    /// The dates of the entries, ascending.
    package let entries: [WallTime]
    /// When the timeline asks to be reloaded.
    package let policy: TimelinePolicy
    /// Whether the device reloads the widget itself at the date that the router assigns.
    package let hasOwnTimer: Bool
}

/// The content of a STATE frame; a value that is nil has not changed.
package struct DeviceChange: Equatable, Sendable {
    /// Whether the app is in the foreground now.
    package var isForeground: Bool?
    /// What the app plays now.
    package var media: DeviceMedia?
    /// The ids of all widgets in sight.
    package var visible: [String]?
    /// Whether the device is at another place.
    package var hasMoved = false

    /// Makes a change in which no value has changed.
    package init() {}
}

/// What the app plays.
package enum DeviceMedia: String, Sendable {
    case silent, audio
}

/// A record of something that a widget displayed.
package struct Rendering: Equatable, Sendable {
    /// The index of the widget on its device.
    package let widget: Int
    /// What made the widget render.
    package let occasion: Occasion
    /// Whether the text differs from the text that would be in sight without this answer.
    package let isNew: Bool

    /// What made a widget render: an answer to one of the three subjects of questions.
    package enum Occasion: Equatable, Sendable {
        case sample
        case placeholder
        case timeline(ReloadOccasion)
    }
}
