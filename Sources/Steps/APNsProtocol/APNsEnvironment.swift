/// Which of Apple's two services a push token belongs to. A token of one means nothing to the
/// other, and to try both harms the sender: it is stored with the token.
package enum APNsEnvironment: String, CaseIterable, Sendable {
    /// Apps from the App Store, and those of testers.
    case production
    /// Apps that Xcode has installed.
    case development

    /// The host of Apple's service.
    ///
    /// Source: Apple, "Sending notification requests to APNs".
    package var host: String {
        switch self {
        case .production: "api.push.apple.com"
        case .development: "api.sandbox.push.apple.com"
        }
    }
}
