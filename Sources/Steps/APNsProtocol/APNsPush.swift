package import Basics

/// One push to one device.
package struct APNsPush {
    /// The push token, as hexadecimal digits.
    package var token: ByteView
    /// What the push does.
    package var type: APNsPushType
    /// The topic, which `type` makes of the bundle identifier.
    package var topic: ByteView
    /// When Apple gives up to deliver it; at `zero` there is one attempt.
    package var expiration: WallTime
    /// Whether the device may be woken for it.
    package var isUrgent: Bool
    /// What the push is called, in the log and in Apple's: a UUID.
    package var id: APNsID
    /// The payload.
    package var payload: ByteView

    /// A push.
    package init(
        token: ByteView,
        type: APNsPushType,
        topic: ByteView,
        expiration: WallTime,
        isUrgent: Bool,
        id: APNsID,
        payload: ByteView
    ) {
        self.token = token
        self.type = type
        self.topic = topic
        self.expiration = expiration
        self.isUrgent = isUrgent
        self.id = id
        self.payload = payload
    }
}

/// What a push does on the device; the header `apns-push-type`.
package enum APNsPushType: String, CaseIterable, Sendable {
    /// WidgetKit reloads all widgets of the app; no kind can be named.
    case widgets
    /// The app runs for a moment and reads the payload; it may reload kinds by itself.
    case background
    /// WidgetKit reloads the one control to which the token belongs.
    case controls

    /// The topic: the app's bundle identifier and a suffix for the type.
    package func topic(bundle: String) -> String {
        switch self {
        case .widgets: "\(bundle).push-type.widgets"
        case .background: bundle
        case .controls: "\(bundle).push-type.controls"
        }
    }

    /// The priorities that Apple accepts for the type: a background push has 5 alone.
    package func priority(isUrgent: Bool) -> Int { self != .background && isUrgent ? 10 : 5 }

    /// The payload as JSON. Only a background push can name the kinds to reload; if they do not fit
    /// into a payload, it names none, which asks for all.
    package func payload(kinds: [String]) -> [UInt8] {
        switch self {
        case .widgets, .controls: return Array(#"{"aps":{"content-changed":true}}"#.utf8)
        case .background:
            let payload = Self.backgroundPayload(kinds)
            return payload.count <= Self.payloadLimit ? payload : Self.backgroundPayload([])
        }
    }

    private static func backgroundPayload(_ kinds: [String]) -> [UInt8] {
        JSONWriter.object { json in
            json.object("aps") { $0.member("content-available", value: 1) }
            json.list("reload-kinds", of: kinds)
        }
    }

    /// The most bytes of a payload.
    ///
    /// Source: Apple, "Generating a remote notification".
    package static var payloadLimit: Int { 4_096 }
}
