package import Basics

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
