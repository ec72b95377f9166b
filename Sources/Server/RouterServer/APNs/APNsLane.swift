internal import APNsProtocol
internal import ReloadModel
internal import RouterCore

/// The pushes of an app to one of Apple's services, and whether they are stopped.
final class APNsLane {
    /// What the router calls it.
    let lane: PushLane
    /// The app's name.
    let app: String
    /// The topic of its pushes.
    let topic: [UInt8]
    var breaker = LaneBreaker()
    /// False once other settings have taken the place of its own: what becomes of its last pushes
    /// is not logged.
    var isCurrent = true

    init(_ lane: PushLane, app: String, settings: APNsSettings) {
        self.lane = lane
        self.app = app
        topic = Array(APNsPushType.widgets.topic(bundle: settings.bundle).utf8)
    }
}

@available(*, unavailable)
extension APNsLane: Sendable {}
