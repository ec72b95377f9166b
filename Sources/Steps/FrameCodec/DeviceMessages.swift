package import Basics

/// The body of STATE: what has changed about a device. Values that are nil stay as they were.
package struct StateMessage {
    /// The kind of media session that the containing app has. During one, reloads cost no budget.
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
}
