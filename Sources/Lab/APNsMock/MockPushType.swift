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
