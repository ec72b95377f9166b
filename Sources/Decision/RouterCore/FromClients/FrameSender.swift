internal import Basics

/// Who has sent a device's frame: the session of a connection, or a client without a session, whose
/// request over HTTP has been judged.
struct FrameSender: BitwiseCopyable {
    /// The connection of the session; `none` without one.
    let connection: ConnectionSlot
    /// The app of the device.
    let app: AppID

    /// The session of a connection.
    init(connection: ConnectionSlot, app: AppID) {
        self.connection = connection
        self.app = app
    }

    /// A client of an app that has no session.
    init(app: AppID) { self.init(connection: .none, app: app) }

    /// Whether it is a session, which the device is attached to.
    var hasSession: Bool { !connection.isNone }
}
