internal import DataStructures
package import ReloadModel

/// The pushes of an app to one of Apple's services: they wait together, and stop together.
package struct PushLane: Hashable, Sendable, BitwiseCopyable {
    /// The app.
    package let app: AppID
    /// The service.
    package let environment: APNsEnvironment

    /// A lane.
    package init(app: AppID, environment: APNsEnvironment) {
        self.app = app
        self.environment = environment
    }

    /// The lane's place in an array of all lanes.
    @inline(__always)
    var index: Int { 2 * app.index + (environment == .sandbox ? 1 : 0) }
}
