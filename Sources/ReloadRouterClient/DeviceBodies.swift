internal import ByteStorage
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// The bodies of the frames that a device sends.
enum DeviceBodies {
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
    static func timeline(
        device: String,
        widget: String,
        reload: UInt64?,
        entries: [Int64],
        policy: ReloadPolicy
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("device")
        writer.string(device)
        writer.key("widget")
        writer.string(widget)
        if let reload {
            writer.key("reload")
            writer.unsigned(reload)
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
            writer.key("after")
            writer.integer(date)
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    /// A REQUEST.
    static func request(device: String, kind: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("device")
        writer.string(device)
        if let kind {
            writer.key("kind")
            writer.string(kind)
        }
        writer.endObject()
        return writer.bytes
    }
}
