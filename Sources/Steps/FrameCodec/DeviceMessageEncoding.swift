package import Basics

// Encoders for the bodies of the frames that devices send, used by clients and tests.

extension TimelineMessage {
    /// Encodes the body of a TIMELINE.
    package static func encode(
        device: String,
        widget: String,
        reload: UInt64?,
        because: TimelineReason? = nil,
        entries: [WallTime],
        policy: TimelinePolicy,
        ownTimer: Bool = false
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.member("device", value: device)
            json.member("widget", value: widget)
            if let reload { json.member("reload", value: reload) }
            if let because { json.member("because", value: because.rawValue) }
            json.list("entries", of: entries) { entry, json in json.integer(entry.rawValue) }
            switch policy {
            case .atEnd: json.member("policy", value: "atEnd")
            case .never: json.member("policy", value: "never")
            case .after(let date):
                json.object("policy") { $0.member("after", value: date.rawValue) }
            }
            if ownTimer { json.member("ownTimer", value: true) }
        }
    }
}

extension RequestMessage {
    /// Encodes the body of a REQUEST; `kind` is nil to ask for all kinds.
    package static func encode(device: String, kind: String?, isDownload: Bool = false) -> [UInt8] {
        JSONWriter.object { json in
            json.member("device", value: device)
            if let kind { json.member("kind", value: kind) }
            if isDownload { json.member("because", value: "download") }
        }
    }
}

extension StateMessage {
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
