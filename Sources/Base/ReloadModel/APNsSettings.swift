package import Times

/// How the router reaches an app's devices that have no session: by Apple's push service (APNs).
///
/// The app file declares it as the member `apns` of the app. The key itself is not in it: the
/// server has it in a file.
package struct APNsSettings: Equatable, Sendable {
    /// The id of the team that the app belongs to, ten letters and digits.
    package var team: String
    /// The id of the key that signs the team's provider tokens, ten letters and digits.
    package var key: String
    /// The bundle identifier of the app, and not of its widget extension.
    package var bundle: String
    /// The most pushes to a device in 24 h. Apple publishes no number, so this one is ours.
    package var pushesPerDay = APNsSettings.usualPushesPerDay
    /// How long a device whose session has ended may take to begin another one, before its reloads
    /// go by APNs.
    package var grace = APNsSettings.usualGrace

    /// Settings with the usual cap and grace.
    package init(team: String, key: String, bundle: String) {
        self.team = team
        self.key = key
        self.bundle = bundle
    }

    /// The cap of an app that states none: a little more than the reloads of a widget that is
    /// viewed once a day.
    package static var usualPushesPerDay: Int { 50 }
    /// The grace of an app that states none.
    package static var usualGrace: Milliseconds { .seconds(30) }
    /// The longest grace.
    package static var longestGrace: Milliseconds { .hours(1) }
    /// The length of the ids of teams and keys.
    package static var idLength: Int { 10 }
}

/// Which of Apple's services a push token is for: the one for apps that come from the
/// App Store, or the one for apps that Xcode has installed.
package enum APNsEnvironment: String, CaseIterable, Sendable, BitwiseCopyable {
    case production
    case sandbox
}
