package import Basics

/// The body of OUTCOME: what became of one push, as a publisher that asked for it reads it.
///
/// An OUTCOME with `isPaused` is about the app, and about no push.
package struct OutcomeMessage: Equatable, Sendable {
    /// The number of widgets with one outcome.
    package struct Count: Equatable, Sendable {
        /// The name of a `DecisionReason`, or one of a later version.
        package var outcome: String
        /// The number of widgets.
        package var widgets: UInt64

        /// Makes the count of an outcome.
        package init(outcome: String, widgets: UInt64) {
            self.outcome = outcome
            self.widgets = widgets
        }
    }

    /// What became of the push for one widget.
    package struct Widget: Equatable, Sendable {
        /// The device's id.
        package var device: String
        /// The widget's id on that device.
        package var widget: String
        /// The name of the widget's kind.
        package var kind: String
        /// The name of a `DecisionReason`, or one of a later version.
        package var outcome: String
        /// For `coalesced`, the outcome of the reload that the push has joined; else nil.
        package var joins: String?
        /// When the reload's wait ends at the latest; nil if that is not known, or there is none.
        package var until: WallTime?
        /// Why, as a phrase for people; nil if the outcome says everything.
        package var why: String?

        /// Makes the outcome for a widget, without a reason and a time.
        package init(device: String, widget: String, kind: String, outcome: String) {
            self.device = device
            self.widget = widget
            self.kind = kind
            self.outcome = outcome
        }
    }

    /// The widget that came nearest to a push that matches none, among those that were examined.
    package struct Nearest: Equatable, Sendable {
        /// The device's id.
        package var device: String
        /// The widget's id on that device.
        package var widget: String
        /// The name of the widget's kind.
        package var kind: String
        /// The path of the payload's field at which the kind's rule first fails.
        package var field: String
        /// What the payload has there and what the rule wants, as a sentence for people.
        package var text: String

        /// Makes the nearest widget, with the first condition that fails.
        package init(device: String, widget: String, kind: String, field: String, text: String) {
            self.device = device
            self.widget = widget
            self.kind = kind
            self.field = field
            self.text = text
        }
    }

    /// The number of widgets that the push matches; 0 for a push that had expired on arrival.
    package var matched: UInt64 = 0
    /// How many widgets have each outcome, in the order of the reasons; outcomes of none are left
    /// out.
    package var counts: [Count] = []
    /// The first widgets that the push matches, at most `RouterLimits.outcomeWidgets`.
    package var widgets: [Widget] = []
    /// For a push without a match, the number of registered widgets of its app; else nil.
    package var registered: UInt64?
    /// For a push without a match, the widget that came nearest; nil if none was found.
    package var nearest: Nearest?
    /// Whether the push has come before and therefore has no effect.
    package var isDuplicate = false
    /// Whether an operator has paused the app, if the message is about that; else nil.
    package var isPaused: Bool?

    /// Makes the outcome of a push that matches nothing.
    package init() {}

    /// The body as the router sends it.
    package var encoded: [UInt8] {
        JSONWriter.object { json in
            if let isPaused { return json.member("paused", value: isPaused) }
            json.member("matched", value: matched)
            if isDuplicate { json.member("duplicate", value: true) }
            writeDetails(to: &json)
        }
    }

    /// Writes the members about widgets, into an object that has been begun.
    package func writeDetails(to json: inout JSONWriter) {
        json.object("counts") { json in
            for count in counts { json.member(count.outcome, value: count.widgets) }
        }
        json.list("widgets", of: widgets) { widget, json in
            json.beginObject()
            json.member("device", value: widget.device)
            json.member("widget", value: widget.widget)
            json.member("kind", value: widget.kind)
            json.member("outcome", value: widget.outcome)
            if let joins = widget.joins { json.member("joins", value: joins) }
            if let until = widget.until { json.member("until", value: until) }
            if let why = widget.why { json.member("why", value: why) }
            json.endObject()
        }
        if let registered { json.member("registered", value: registered) }
        guard let nearest else { return }
        json.object("nearest") { json in
            json.member("device", value: nearest.device)
            json.member("widget", value: nearest.widget)
            json.member("kind", value: nearest.kind)
            json.member("field", value: nearest.field)
            json.member("text", value: nearest.text)
        }
    }
}
