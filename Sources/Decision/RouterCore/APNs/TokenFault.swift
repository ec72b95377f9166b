/// Why APNs accepts no push to a token.
package enum TokenFault: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// APNs gives no reason that is known.
    case unknown = 0
    /// The app was removed from the device, or has another token now.
    case unregistered = 1
    /// The token has expired.
    case expired = 2
    /// The token is none, or of the other environment.
    case bad = 3
    /// The token is that of another app.
    case foreign = 4

    /// Apple's name of the reason; nil for an unknown one.
    package var appleName: String? {
        switch self {
        case .unknown: nil
        case .unregistered: "Unregistered"
        case .expired: "ExpiredToken"
        case .bad: "BadDeviceToken"
        case .foreign: "DeviceTokenNotForTopic"
        }
    }
}
