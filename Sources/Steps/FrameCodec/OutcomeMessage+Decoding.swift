package import Basics

// Reading OUTCOME: a client does, and the session of pushes over HTTP.

extension OutcomeMessage {
    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(reading bytes: ByteView) throws(ProtocolError) {
        self.init()
        let body = BodyReader(bytes, of: .outcome)
        var matched: UInt64?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "matched" {
                matched = try body.unsigned(&reader, at: "matched")
            } else if name == "counts" {
                counts = try Self.counts(try body.object(&reader, at: "counts"))
            } else if name == "widgets" {
                widgets = try Self.widgets(try body.array(&reader, at: "widgets"), of: body)
            } else if name == "registered" {
                registered = try body.unsigned(&reader, at: "registered")
            } else if name == "nearest" {
                nearest = try Nearest(try body.object(&reader, at: "nearest"))
            } else if name == "duplicate" {
                isDuplicate = try body.boolean(&reader, at: "duplicate")
            } else if name == "paused" {
                isPaused = try body.boolean(&reader, at: "paused")
            } else {
                return false
            }
            return true
        }
        if isPaused == nil { self.matched = try body.required(matched, at: "matched") }
    }

    private static func counts(_ object: ByteView) throws(ProtocolError) -> [Count] {
        let body = BodyReader(object, of: .outcome)
        var counts: [Count] = []
        try body.members { (name, reader) throws(ProtocolError) in
            let outcome = name.string
            let widgets = try body.unsigned(&reader, at: "counts.\(outcome)")
            counts.append(Count(outcome: outcome, widgets: widgets))
            return true
        }
        return counts
    }

    private static func widgets(
        _ array: ByteView,
        of body: BodyReader
    ) throws(ProtocolError) -> [Widget] {
        var reader = JSONReader(array)
        reader.enterArray()
        var widgets: [Widget] = []
        while reader.nextElement() {
            let path = "widgets[\(widgets.count)]"
            widgets.append(try Widget(try body.object(&reader, at: path), at: path))
        }
        return widgets
    }
}

extension OutcomeMessage.Widget {
    fileprivate init(_ object: ByteView, at path: String) throws(ProtocolError) {
        let body = BodyReader(object, of: .outcome)
        var (device, widget, kind, outcome): (String?, String?, String?, String?)
        var (joins, why): (String?, String?)
        var until: WallTime?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, at: path + ".device").string
            } else if name == "widget" {
                widget = try body.string(&reader, at: path + ".widget").string
            } else if name == "kind" {
                kind = try body.string(&reader, at: path + ".kind").string
            } else if name == "outcome" {
                outcome = try body.string(&reader, at: path + ".outcome").string
            } else if name == "joins" {
                joins = try body.string(&reader, at: path + ".joins").string
            } else if name == "until" {
                until = try body.date(&reader, at: path + ".until")
            } else if name == "why" {
                why = try body.string(&reader, at: path + ".why").string
            } else {
                return false
            }
            return true
        }
        self.init(
            device: try body.required(device, at: path + ".device"),
            widget: try body.required(widget, at: path + ".widget"),
            kind: try body.required(kind, at: path + ".kind"),
            outcome: try body.required(outcome, at: path + ".outcome")
        )
        self.joins = joins
        self.until = until
        self.why = why
    }
}

extension OutcomeMessage.Nearest {
    fileprivate init(_ object: ByteView) throws(ProtocolError) {
        let body = BodyReader(object, of: .outcome)
        var (device, widget, kind): (String?, String?, String?)
        var (field, text): (String?, String?)
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, at: "nearest.device").string
            } else if name == "widget" {
                widget = try body.string(&reader, at: "nearest.widget").string
            } else if name == "kind" {
                kind = try body.string(&reader, at: "nearest.kind").string
            } else if name == "field" {
                field = try body.string(&reader, at: "nearest.field").string
            } else if name == "text" {
                text = try body.string(&reader, at: "nearest.text").string
            } else {
                return false
            }
            return true
        }
        self.init(
            device: try body.required(device, at: "nearest.device"),
            widget: try body.required(widget, at: "nearest.widget"),
            kind: try body.required(kind, at: "nearest.kind"),
            field: try body.required(field, at: "nearest.field"),
            text: try body.required(text, at: "nearest.text")
        )
    }
}
