/// How the router reaches an app's devices that have no session: by Apple's push service (APNs).
///
/// The app file declares it as the member `apns` of the app. The key or certificate itself is not
/// in it: the server has it in a file.
package struct APNsSettings: Equatable, Sendable {
    /// By what the app proves itself.
    package var credential: APNsCredential
    /// The bundle identifier of the app, and not of its widget extension.
    package var bundle: String
    /// The most pushes to a device in 24 h. Apple publishes no number, so this one is ours.
    package var pushesPerDay = APNsSettings.usualPushesPerDay
    /// The most background pushes to a device in an hour. Apple asks for two or three at most.
    package var backgroundPushesPerHour = APNsSettings.usualBackgroundPushes
    /// How long a device whose session has ended may take to begin another one, before its reloads
    /// go by APNs.
    package var grace = APNsSettings.usualGrace

    /// The services at which a token is tried once that was registered for the other one, and is
    /// none there: apps report their environment wrongly.
    package var environments: Set<APNsEnvironment> = []

    /// Settings with the usual cap and grace.
    package init(_ credential: APNsCredential, bundle: String) {
        self.credential = credential
        self.bundle = bundle
    }

    /// Settings of an app whose team has a key.
    package init(team: String, key: String, bundle: String) {
        self.init(.key(key, team: team), bundle: bundle)
    }

    /// The cap of an app that states none: a little more than the reloads of a widget that is
    /// viewed once a day.
    package static var usualPushesPerDay: Int { 50 }
    /// The background pushes in an hour of an app that states no number.
    package static var usualBackgroundPushes: Int { 2 }
    /// The most background pushes in an hour that an app may ask for.
    ///
    /// Source: Apple, "Pushing background updates to your App".
    package static var mostBackgroundPushes: Int { 3 }
    /// The grace of an app that states none.
    package static var usualGrace: Milliseconds { .seconds(30) }
    /// The longest grace.
    package static var longestGrace: Milliseconds { .hours(1) }
    /// The length of the ids of teams and keys.
    package static var idLength: Int { 10 }
}

/// A way by which APNs reaches an app on a device; each has tokens of its own.
package enum APNsChannel: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// WidgetKit reloads all widgets of the app: one token for all of them, from iOS 26 on.
    case widgets
    /// The app runs for a moment and reloads the kinds that the push names: the app's own token.
    case background
    /// WidgetKit reloads one control: a token for each control.
    case controls
}

/// Which of Apple's services a push token is for: the one for apps that come from the
/// App Store, or the one for apps that Xcode has installed.
package enum APNsEnvironment: String, CaseIterable, Sendable, BitwiseCopyable {
    case production
    case sandbox
}
