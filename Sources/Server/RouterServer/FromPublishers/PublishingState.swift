internal import Basics

/// What the server keeps for those who push, and of devices that report, without a connection that
/// speaks frames. `Server+Publishing` works on it, and so do the extensions for pushes and reports.
struct PublishingState {
    /// The listener for publishers over HTTP; nil if there is none.
    var listener: PublishListener?
    /// Requests of publishers that wait until the router can open a session, oldest first; later
    /// ones wait for the first.
    var waiting: [WaitingPublisher] = []
    /// Publishers over HTTP, and operators who push.
    let sessions = PushSessions()
    /// Reports of devices.
    var reports = DeviceReports()
}
