package import Basics

/// The body of STATE: what has changed about a device. Values that are nil stay as they were.
package struct StateMessage {
    /// The kind of media session that the containing app has. During one, reloads cost no budget.
    /// The numbers are stored.
    package enum Media: UInt8, Sendable, BitwiseCopyable {
        case none
        case audio
        case navigation
    }

    /// The id of the device whose state has changed.
    package var device: JSONText
    /// Whether the containing app is in the foreground; nil if that has not changed.
    package var foreground: Bool?
    /// The app's media session; nil if that has not changed.
    package var media: Media?
    /// The JSON array of the ids of the widgets in view; nil if that has not changed.
    package var visible: ByteView?
    /// Whether the device reports a significant change of its location.
    package var hasMovedSignificantly = false

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        var body = BodyReader(bytes, of: .state)
        var device: JSONText?
        while let name = body.next() {
            switch name {
            case "device": device = try body.string()
            case "foreground": foreground = try body.boolean()
            case "media": media = try Self.media(&body)
            case "visible": visible = try body.array()
            case "location":
                guard try body.string() == "significant-change" else {
                    throw body.invalid("\"significant-change\"")
                }
                hasMovedSignificantly = true
            default: body.skip()
            }
        }
        self.device = try body.required(device, at: "device")
    }

    /// Reads the value of `media`; null is `none`.
    private static func media(_ body: inout BodyReader) throws(ProtocolError) -> Media {
        if body.kind == .null {
            body.skip()
            return .none
        }
        let text = try body.string()
        if text == "audio" { return .audio }
        if text == "navigation" { return .navigation }
        throw body.invalid("\"audio\", \"navigation\" or null")
    }

    /// Encodes the body of a STATE. A parameter that is nil is left out, so that the device's value
    /// stays as it was.
    package static func encode(
        device: String,
        foreground: Bool? = nil,
        media: Media? = nil,
        visible: [String]? = nil,
        hasMovedSignificantly: Bool = false
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.member("device", value: device)
            if let foreground { json.member("foreground", value: foreground) }
            if let media { json.member("media", value: media == .none ? nil : "\(media)") }
            if let visible { json.list("visible", of: visible) }
            if hasMovedSignificantly { json.member("location", value: "significant-change") }
        }
    }
}

/// The body of REQUEST: WidgetKit's `reloadTimelines(ofKind:)`, or without a kind
/// `reloadAllTimelines()`.
package struct RequestMessage {
    /// The id of the device whose app asks for reloads.
    package var device: JSONText
    /// The kind of the widgets to reload; nil for all widgets of the device.
    package var kind: JSONText?
    /// Whether the reason is that a download, which a reload started in the background, has
    /// finished: the app has new data.
    package var isDownload = false

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        var body = BodyReader(bytes, of: .request)
        var device: JSONText?
        while let name = body.next() {
            switch name {
            case "device": device = try body.string()
            case "kind": kind = try body.string()
            case "because":
                guard try body.string() == "download" else { throw body.invalid("\"download\"") }
                isDownload = true
            default: body.skip()
            }
        }
        self.device = try body.required(device, at: "device")
    }

    /// Encodes the body of a REQUEST; `kind` is nil to ask for all kinds.
    package static func encode(device: String, kind: String?, isDownload: Bool = false) -> [UInt8] {
        JSONWriter.object { json in
            json.member("device", value: device)
            if let kind { json.member("kind", value: kind) }
            if isDownload { json.member("because", value: "download") }
        }
    }
}
