package import ByteStorage
package import ReloadModel
package import StrictJSON

/// When a timeline asks to be reloaded: WidgetKit's `TimelineReloadPolicy`.
package enum TimelinePolicy: Equatable, Sendable, BitwiseCopyable {
    case atEnd
    case never
    /// Not before this date, in ms since 1970.
    case after(Int64)
}

/// The body of TIMELINE: what a widget shows from now on.
package struct TimelineMessage {
    package var device: JSONText
    package var widget: JSONText
    /// The RELOAD that this timeline answers.
    package var reload: UInt64?
    /// The date of the last entry, in ms since 1970; nil when there are no entries.
    package var lastEntry: Int64?
    package var policy: TimelinePolicy

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid` or `timeline-invalid`.
    package init(_ bytes: ByteView, entryLimit: Int) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .timeline)
        var device: JSONText?
        var widget: JSONText?
        var reload: UInt64?
        var policy: TimelinePolicy?
        var entries: ByteView?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, "device")
            } else if name == "widget" {
                widget = try body.string(&reader, "widget")
            } else if name == "reload" {
                reload = try body.unsigned(&reader, "reload")
            } else if name == "entries" {
                entries = try body.array(&reader, "entries")
            } else if name == "policy" {
                policy = try Self.policy(&reader, body)
            } else {
                return false
            }
            return true
        }
        self.device = try body.required(device, "device")
        self.widget = try body.required(widget, "widget")
        self.policy = try body.required(policy, "policy")
        self.reload = reload
        self.lastEntry = try Self.lastEntry(
            try body.required(entries, "entries"),
            body,
            limit: entryLimit
        )
    }

    private static func policy(
        _ reader: inout JSONReader,
        _ body: BodyReader
    ) throws(ProtocolError) -> TimelinePolicy {
        switch reader.peek() {
        case .string:
            let text = reader.readString()
            if text == "atEnd" { return .atEnd }
            if text == "never" { return .never }
            throw ProtocolError(
                .bodyInvalid,
                "policy of TIMELINE is \"\(text.string)\"; it must be \"atEnd\", \"never\" or "
                    + "{\"after\":ms}"
            )
        case .object:
            var date: Int64?
            try BodyReader(reader.rawValue(), of: .timeline).members {
                (name, reader) throws(ProtocolError) in
                guard name == "after" else { return false }
                date = try body.date(&reader, "policy.after")
                return true
            }
            return .after(try body.required(date, "policy.after"))
        case let kind:
            throw body.wrong("policy", "\"atEnd\", \"never\" or {\"after\":ms}", kind)
        }
    }

    private static func lastEntry(
        _ entries: ByteView,
        _ body: BodyReader,
        limit: Int
    ) throws(ProtocolError) -> Int64? {
        var reader = JSONReader(entries)
        reader.enterArray()
        var last: Int64?
        var count = 0
        while reader.nextElement() {
            let date = try body.date(&reader, "entries[\(count)]")
            count += 1
            if count > limit {
                throw ProtocolError(
                    .timelineInvalid,
                    "the timeline has more than \(limit) entries"
                )
            }
            if let last, date < last {
                throw ProtocolError(
                    .timelineInvalid,
                    "entries[\(count - 1)] is before the entry in front of it"
                )
            }
            last = date
        }
        return last
    }
}

/// The body of STATE: what changed about a device.
package struct StateMessage {
    /// What the containing app plays, if anything.
    package enum Media: UInt8, Sendable, BitwiseCopyable {
        case none
        case audio
        case navigation
    }

    package var device: JSONText
    package var foreground: Bool?
    package var media: Media?
    /// The raw array of the ids of the widgets in sight.
    package var visible: ByteView?
    package var movedSignificantly = false

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .state)
        var device: JSONText?
        var foreground: Bool?
        var media: Media?
        var visible: ByteView?
        var moved = false
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, "device")
            } else if name == "foreground" {
                foreground = try body.boolean(&reader, "foreground")
            } else if name == "media" {
                media = try Self.media(&reader, body)
            } else if name == "visible" {
                visible = try body.array(&reader, "visible")
            } else if name == "location" {
                let text = try body.string(&reader, "location")
                guard text == "significant-change" else {
                    throw ProtocolError(
                        .bodyInvalid,
                        "location of STATE must be \"significant-change\""
                    )
                }
                moved = true
            } else {
                return false
            }
            return true
        }
        self.device = try body.required(device, "device")
        self.foreground = foreground
        self.media = media
        self.visible = visible
        self.movedSignificantly = moved
    }

    private static func media(
        _ reader: inout JSONReader,
        _ body: BodyReader
    ) throws(ProtocolError) -> Media {
        if reader.peek() == .null {
            reader.skipValue()
            return .none
        }
        let text = try body.string(&reader, "media")
        if text == "audio" { return .audio }
        if text == "navigation" { return .navigation }
        throw ProtocolError(
            .bodyInvalid,
            "media of STATE must be \"audio\", \"navigation\" or null"
        )
    }
}

/// The body of REQUEST: `reloadTimelines(ofKind:)`, or without a kind `reloadAllTimelines()`.
package struct RequestMessage {
    package var device: JSONText
    package var kind: JSONText?

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .request)
        var device: JSONText?
        var kind: JSONText?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, "device")
            } else if name == "kind" {
                kind = try body.string(&reader, "kind")
            } else {
                return false
            }
            return true
        }
        self.device = try body.required(device, "device")
        self.kind = kind
    }
}
