internal import ByteStorage
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// The bodies of the frames that a device sends.
package enum DeviceBodies {
    /// The device that a WIDGETS body is about.
    ///
    /// The body is judged here already, so that what is wrong is said with its place, and nothing
    /// that the router would refuse is kept for a reconnect.
    static func device(ofWidgets body: [UInt8]) throws(ClientError) -> String {
        try body.withByteView { (view) throws(ClientError) in
            var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
            do throws(JSONError) {
                try validateJSON(view, using: &scanner)
            } catch {
                throw .bodyInvalid(error.message)
            }
            do throws(ProtocolError) {
                return try WidgetsMessage(view).device.string
            } catch {
                throw .bodyInvalid(error.message)
            }
        }
    }

    /// A TIMELINE.
    package static func timeline(
        device: String,
        widget: String,
        reload: UInt64?,
        because: UnaskedReason? = nil,
        entries: [Int64],
        policy: ReloadPolicy,
        ownTimer: Bool = false
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device", device)
        writer.member("widget", widget)
        if let reload {
            writer.member("reload", reload)
        }
        if let because {
            writer.member("because", because.rawValue)
        }
        writer.key("entries")
        writer.beginArray()
        for entry in entries { writer.integer(entry) }
        writer.endArray()
        writer.key("policy")
        switch policy {
        case .atEnd: writer.string("atEnd")
        case .never: writer.string("never")
        case .after(let date):
            writer.beginObject()
            writer.member("after", date)
            writer.endObject()
        }
        if ownTimer {
            writer.member("ownTimer", true)
        }
        writer.endObject()
        return writer.bytes
    }

    /// A REQUEST.
    package static func request(device: String, kind: String?, isDownload: Bool = false) -> [UInt8]
    {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device", device)
        if let kind {
            writer.member("kind", kind)
        }
        if isDownload {
            writer.member("because", "download")
        }
        writer.endObject()
        return writer.bytes
    }

    /// A STATE; what is nil is left as it was.
    package static func state(
        device: String,
        foreground: Bool? = nil,
        media: MediaActivity? = nil,
        visible: [String]? = nil,
        hasMovedSignificantly: Bool = false
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device", device)
        if let foreground {
            writer.member("foreground", foreground)
        }
        if let media {
            writer.key("media")
            switch media {
            case .silent: writer.null()
            case .audio, .navigation: writer.string(media.rawValue)
            }
        }
        if let visible {
            writer.key("visible")
            writer.beginArray()
            for widget in visible { writer.string(widget) }
            writer.endArray()
        }
        if hasMovedSignificantly {
            writer.member("location", "significant-change")
        }
        writer.endObject()
        return writer.bytes
    }
}
