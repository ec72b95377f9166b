internal import Basics
internal import FrameCodec

/// What became of a push: for how many widgets a RELOAD was sent, put off or not needed, and why.
///
/// An outcome's name is one of the protocol's reasons: `sent`, `unchanged`, `debounced`, `spacing`,
/// `budget`, `spread`, `coalesced`, `expired`, `superseded`, `offline`, `loop`, `removed`, `apns`,
/// `grace`, `cap`, `retry` or `outdated`. A later router may have others.
public struct PushOutcome: Equatable, Sendable {
    /// What became of the push for one widget.
    public struct Widget: Equatable, Sendable {
        /// The device's id.
        public var device: String
        /// The widget's id on that device.
        public var widget: String
        /// The widget's kind.
        public var kind: String
        /// The outcome's name.
        public var outcome: String
        /// For `coalesced`, the outcome of the reload that the push has joined; else nil.
        public var joins: String?
        /// When the reload's wait ends at the latest, in ms since 1970; nil if that is not known,
        /// or the reload does not wait.
        public var until: Int64?
        /// Why, as a phrase for people; nil if the outcome says everything.
        public var why: String?
    }

    /// The widget that came nearest to a push that matches none.
    public struct Nearest: Equatable, Sendable {
        /// The device's id.
        public var device: String
        /// The widget's id on that device.
        public var widget: String
        /// The widget's kind.
        public var kind: String
        /// The path of the payload's field at which the kind's rule first fails.
        public var field: String
        /// What the payload has there and what the rule wants, as a sentence for people.
        public var text: String
    }

    /// The number that `Publisher.push` has returned for the push.
    public var seq: UInt64
    /// The number of widgets that the push matches.
    public var matched: UInt64
    /// How many widgets have each outcome, by its name.
    public var counts: [String: UInt64]
    /// The first widgets that the push matches, at most four.
    public var widgets: [Widget]
    /// For a push that matches no widget, the number of the app's registered widgets; else nil.
    public var registered: UInt64?
    /// For a push that matches no widget, the one that came nearest; nil if none was found.
    public var nearest: Nearest?
    /// Whether the router had accepted a push of this number before: this one has no effect.
    public var isDuplicate = false
}

extension PushOutcome {
    /// The outcome that a message of the router reports.
    init(_ message: OutcomeMessage, seq: UInt64) {
        self.init(
            seq: seq,
            matched: message.matched,
            counts: Dictionary(message.counts.map { ($0.outcome, $0.widgets) }) { first, _ in first
            },
            widgets: message.widgets.map { entry in
                Widget(
                    device: entry.device,
                    widget: entry.widget,
                    kind: entry.kind,
                    outcome: entry.outcome,
                    joins: entry.joins,
                    until: entry.until?.rawValue,
                    why: entry.why
                )
            },
            registered: message.registered,
            nearest: message.nearest.map { nearest in
                Nearest(
                    device: nearest.device,
                    widget: nearest.widget,
                    kind: nearest.kind,
                    field: nearest.field,
                    text: nearest.text
                )
            },
            isDuplicate: message.isDuplicate
        )
    }
}
