internal import Basics

/// What has become of a push so far: a page of its history, with at most 64 of the widgets that it
/// matches.
public struct PublishedPush: Equatable, Sendable {
    /// What has become of the push for one widget.
    public struct Widget: Equatable, Sendable {
        /// The device's id.
        public var device: String
        /// The widget's id on that device.
        public var widget: String
        /// The widget's kind.
        public var kind: String
        /// What its reload waits for now, or how it has ended: one of the reasons that
        /// `PushOutcome` names, `ready`, `undecided` or `unknown`.
        public var outcome: String
        /// The outcome when the push came, if that was another one; else nil.
        public var first: String?
        /// When the reload has ended, in ms since 1970; nil while it waits.
        public var at: Int64?
        /// When the reload's wait ends at the latest, in ms since 1970; nil if that is not known,
        /// or the reload does not wait.
        public var until: Int64?
        /// Why, as a phrase for people; nil if the outcome says everything.
        public var why: String?
    }

    /// The number that `Publisher.push` has returned for the push.
    public var seq: UInt64
    /// When it came, in ms since 1970.
    public var at: Int64
    /// The number of widgets that it matches.
    public var matched: UInt64
    /// How many of all its widgets have each outcome, by its name; empty but in the first page.
    public var outcomes: [String: UInt64]
    /// How many of all its widgets are of each kind, by its name; empty but in the first page.
    public var kinds: [String: UInt64]
    /// The widgets of this page.
    public var widgets: [Widget]
    /// What the next page is asked for after; nil if there is none.
    public var next: Int?
}

extension PublishedPush {
    /// What the router answers about a push; nil if it is no history.
    init?(_ answer: JSONValue, of seq: UInt64) {
        guard case .list(let list)? = answer.member("widgets"),
            let matched: UInt64 = answer.integer("matched"), let at: Int64 = answer.integer("at")
        else { return nil }
        var widgets: [Widget] = []
        for entry in list {
            guard let widget = Widget(entry) else { return nil }
            widgets.append(widget)
        }
        self.init(
            seq: seq,
            at: at,
            matched: matched,
            outcomes: answer.counts("outcomes"),
            kinds: answer.counts("kinds"),
            widgets: widgets,
            next: answer.integer("next")
        )
    }
}

extension PublishedPush.Widget {
    fileprivate init?(_ entry: JSONValue) {
        guard let device = entry.text("device"), let widget = entry.text("widget"),
            let kind = entry.text("kind"), let outcome = entry.text("outcome")
        else { return nil }
        self.init(
            device: device,
            widget: widget,
            kind: kind,
            outcome: outcome,
            first: entry.text("first"),
            at: entry.integer("at"),
            until: entry.integer("until"),
            why: entry.text("why")
        )
    }
}

extension JSONValue {
    /// The member of that name, if it is a string.
    func text(_ name: String) -> String? {
        guard case .string(let text)? = member(name) else { return nil }
        return text
    }

    /// The member of that name, if it is a whole number that fits.
    fileprivate func integer<Integer: FixedWidthInteger>(_ name: String) -> Integer? {
        guard case .number(let text)? = member(name) else { return nil }
        return Integer(text)
    }

    /// The whole numbers of the member of that name, by their names.
    fileprivate func counts(_ name: String) -> [String: UInt64] {
        let counters = member(name) ?? .null
        var counts: [String: UInt64] = [:]
        for counter in counters.members { counts[counter.name] = counters.integer(counter.name) }
        return counts
    }
}
