internal import APNsProtocol
internal import Basics
internal import RouterCore

/// The pushes of an app to one of Apple's services by one channel, and whether they are stopped.
final class APNsLane {
    /// What the router calls it.
    let lane: APNsLaneID
    /// What sends its pushes.
    unowned let service: APNsService
    /// The app's name.
    let app: String
    /// The topic of its pushes.
    let topic: [UInt8]
    /// What its pushes do on the device.
    let type: APNsPushType
    /// The payload of a push that names no kind.
    let payload: [UInt8]
    var breaker = LaneBreaker()
    /// Who pays for its pushes: the app.
    let group: WorkGroup
    /// The pushes that were made in this tick.
    var madeCount = 0
    /// False once other settings have taken the place of its own: what becomes of its last pushes
    /// is not logged.
    var isCurrent = true

    init(_ lane: APNsLaneID, of service: APNsService, app: String, settings: APNsSettings) {
        self.lane = lane
        self.service = service
        self.app = app
        group = WorkGroup(ofPushesOf: app)
        type = APNsPushType(lane.channel)
        topic = Array(type.topic(bundle: settings.bundle).utf8)
        payload = type.payload(kinds: [])
    }

    /// The payload of a push.
    func payload(of push: OutgoingAPNsPush, by router: borrowing Router) -> [UInt8] {
        type == .background ? type.payload(kinds: router.kinds(of: push)) : payload
    }
}

extension APNsPushType {
    /// What pushes of a channel do.
    fileprivate init(_ channel: APNsChannel) {
        switch channel {
        case .widgets: self = .widgets
        case .background: self = .background
        case .controls: self = .controls
        }
    }
}
