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

// Reading OUTCOME: a client does, and the session of pushes over HTTP.

extension OutcomeMessage {
    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(reading bytes: ByteView) throws(ProtocolError) {
        self.init()
        var body = BodyReader(bytes, of: .outcome)
        var matched: UInt64?
        while let name = body.next() {
            switch name {
            case "matched": matched = try body.unsigned()
            case "counts": counts = try Self.counts(body.members())
            case "widgets":
                var list = try body.elements()
                while list.nextElement() { widgets.append(try Widget(list.members())) }
            case "registered": registered = try body.unsigned()
            case "nearest": nearest = try Nearest(body.members())
            case "duplicate": isDuplicate = try body.boolean()
            case "paused": isPaused = try body.boolean()
            default: body.skip()
            }
        }
        if isPaused == nil { self.matched = try body.required(matched, at: "matched") }
    }

    private static func counts(_ members: BodyReader) throws(ProtocolError) -> [Count] {
        var members = members
        var counts: [Count] = []
        while let outcome = members.next()?.string {
            counts.append(Count(outcome: outcome, widgets: try members.unsigned()))
        }
        return counts
    }
}

extension OutcomeMessage.Widget {
    fileprivate init(_ members: BodyReader) throws(ProtocolError) {
        var body = members
        var (device, widget, kind, outcome): (String?, String?, String?, String?)
        var (joins, why): (String?, String?)
        var until: WallTime?
        while let name = body.next() {
            switch name {
            case "device": device = try body.string().string
            case "widget": widget = try body.string().string
            case "kind": kind = try body.string().string
            case "outcome": outcome = try body.string().string
            case "joins": joins = try body.string().string
            case "until": until = try body.date()
            case "why": why = try body.string().string
            default: body.skip()
            }
        }
        self.init(
            device: try body.required(device, at: "device"),
            widget: try body.required(widget, at: "widget"),
            kind: try body.required(kind, at: "kind"),
            outcome: try body.required(outcome, at: "outcome")
        )
        self.joins = joins
        self.until = until
        self.why = why
    }
}

extension OutcomeMessage.Nearest {
    fileprivate init(_ members: BodyReader) throws(ProtocolError) {
        var body = members
        var (device, widget, kind): (String?, String?, String?)
        var (field, text): (String?, String?)
        while let name = body.next() {
            switch name {
            case "device": device = try body.string().string
            case "widget": widget = try body.string().string
            case "kind": kind = try body.string().string
            case "field": field = try body.string().string
            case "text": text = try body.string().string
            default: body.skip()
            }
        }
        self.init(
            device: try body.required(device, at: "device"),
            widget: try body.required(widget, at: "widget"),
            kind: try body.required(kind, at: "kind"),
            field: try body.required(field, at: "field"),
            text: try body.required(text, at: "text")
        )
    }
}
