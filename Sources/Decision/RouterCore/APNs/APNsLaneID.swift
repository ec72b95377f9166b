package import Basics

/// The pushes of an app to one of Apple's services by one channel: they wait together, and stop
/// together.
package struct APNsLaneID: Hashable, Sendable, BitwiseCopyable {
    /// The app.
    package let app: AppID
    /// The service.
    package let environment: APNsEnvironment
    /// The channel.
    package let channel: APNsChannel

    /// A lane.
    package init(app: AppID, environment: APNsEnvironment, channel: APNsChannel) {
        self.app = app
        self.environment = environment
        self.channel = channel
    }

    /// The lanes of an app.
    package static func all(of app: AppID) -> [APNsLaneID] {
        APNsEnvironment.allCases.flatMap { environment in
            APNsChannel.allCases.map { APNsLaneID(app: app, environment: environment, channel: $0) }
        }
    }

    /// The lane's place in an array of all lanes.
    package var index: Int {
        let service = 2 * app.index + (environment == .sandbox ? 1 : 0)
        return APNsChannel.allCases.count * service + Int(channel.rawValue)
    }
}
