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
        let body = BodyReader(bytes, of: .state)
        var device: JSONText?
        var foreground: Bool?
        var media: Media?
        var visible: ByteView?
        var moved = false
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, at: "device")
            } else if name == "foreground" {
                foreground = try body.boolean(&reader, at: "foreground")
            } else if name == "media" {
                media = try Self.media(&reader, of: body)
            } else if name == "visible" {
                visible = try body.array(&reader, at: "visible")
            } else if name == "location" {
                let text = try body.string(&reader, at: "location")
                guard text == "significant-change" else {
                    throw ProtocolError(
                        .bodyInvalid,
                        message: "location of STATE must be \"significant-change\""
                    )
                }
                moved = true
            } else {
                return false
            }
            return true
        }
        self.device = try body.required(device, at: "device")
        self.foreground = foreground
        self.media = media
        self.visible = visible
        self.hasMovedSignificantly = moved
    }

    /// Reads the value of `media`; null is `none`.
    private static func media(
        _ reader: inout JSONReader,
        of body: BodyReader
    ) throws(ProtocolError) -> Media {
        if reader.peek() == .null {
            reader.skipValue()
            return .none
        }
        let text = try body.string(&reader, at: "media")
        if text == "audio" { return .audio }
        if text == "navigation" { return .navigation }
        throw ProtocolError(
            .bodyInvalid,
            message: "media of STATE must be \"audio\", \"navigation\" or null"
        )
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
    package var isDownload: Bool

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .request)
        var device: JSONText?
        var kind: JSONText?
        var isDownload = false
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, at: "device")
            } else if name == "kind" {
                kind = try body.string(&reader, at: "kind")
            } else if name == "because" {
                guard try body.string(&reader, at: "because") == "download" else {
                    throw ProtocolError(
                        .bodyInvalid,
                        message: "because of REQUEST must be \"download\""
                    )
                }
                isDownload = true
            } else {
                return false
            }
            return true
        }
        self.device = try body.required(device, at: "device")
        self.kind = kind
        self.isDownload = isDownload
    }
}
