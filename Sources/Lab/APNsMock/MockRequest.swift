/// What the mock looks at in a request.
package struct MockRequest: Sendable {
    /// The method.
    package var method = ""
    /// The path.
    package var path = ""
    /// The provider token, after `bearer`.
    package var authorization: String?
    /// The field `apns-push-type`.
    package var pushType: String?
    /// The field `apns-topic`.
    package var topic: String?
    /// The field `apns-priority`.
    package var priority: String?
    /// The field `apns-expiration`.
    package var expiration: String?
    /// The field `apns-id`.
    package var id: String?
    /// The field `apns-collapse-id`.
    package var collapseID: String?
    /// The payload.
    package var body: [UInt8] = []
    /// Whether the client has shown a certificate of the authorities that the mock trusts.
    package var hasCertificate = false
    /// A field that comes more than once.
    package var repeatedField: String?

    /// What the push does; nil if it does not say so, or nothing that is known.
    var type: MockPushType? { pushType.flatMap { MockPushType(rawValue: $0) } }

    /// The device's token, if the path has one.
    package var token: String? {
        let prefix = "/3/device/"
        guard path.hasPrefix(prefix), path.utf8.count > prefix.utf8.count else { return nil }
        return String(path.dropFirst(prefix.count))
    }
}

/// What pushes do on devices: the values of `apns-push-type`, of which a router sends three.
///
/// Source: Apple, "Sending notification requests to APNs".
enum MockPushType: String, CaseIterable {
    case alert
    case background
    case complication
    case controls
    case fileprovider
    case liveactivity
    case location
    case mdm
    case pushtotalk
    case voip
    case widgets

    /// What follows the bundle identifier in the topic of such a push; nil if its topic is no
    /// bundle identifier.
    var topicSuffix: String? {
        switch self {
        case .alert, .background: ""
        case .complication: ".complication"
        case .controls: ".push-type.controls"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .location: ".location-query"
        case .mdm: nil
        case .pushtotalk: ".voip-ptt"
        case .voip: ".voip"
        case .widgets: ".push-type.widgets"
        }
    }

    /// The priorities that Apple accepts for the type.
    var priorities: Set<String> { self == .background ? ["5"] : ["1", "5", "10"] }

    /// The most bytes of a payload.
    ///
    /// Source: Apple, "Generating a remote notification".
    var payloadLimit: Int { self == .voip ? 5_120 : 4_096 }
}
