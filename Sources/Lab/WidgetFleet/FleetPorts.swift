internal import ReloadRouterClient

/// The world outside of a fleet's devices: sockets, or a model of them.
protocol FleetPorts: AnyObject {
    /// By a monotonic clock, in ns.
    var nanoseconds: Int64 { get }
    /// Sends a frame of a device, sooner or later; `widget` is told the answer of a TIMELINE.
    func send(_ frame: DeviceFrame, of device: Int, widget: Int?)
    /// Asks the origin; the fleet is told the answer by `fetched`.
    func fetch(_ path: String, number: Int)
    /// A device's network goes or comes.
    func setOnline(_ isOnline: Bool, device: Int)
    /// The connection of a device breaks in the middle of a frame.
    func breakConnection(of device: Int)
}

/// What the origin answered.
enum OriginAnswer {
    case body([UInt8])
    /// A status other than 200, and in how many seconds it may be asked again.
    case refused(status: Int, retryAfter: Int?)
    case unreachable(String)
}
