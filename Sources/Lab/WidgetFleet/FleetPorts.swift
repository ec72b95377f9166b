internal import ReloadRouterClient

/// The world around a fleet's devices: sockets, or a simulation.
protocol FleetPorts: AnyObject {
    /// The time in ns, by a monotonic clock.
    var nanoseconds: Int64 { get }
    /// Sends a frame of a device, perhaps later. With `widget`, the frame is that widget's
    /// TIMELINE, and its date comes back by `scheduled`.
    func send(_ frame: DeviceFrame, of device: Int, widget: Int?)
    /// Sends a fetch to the origin; its answer comes back by `fetched`.
    func fetch(_ path: String, number: Int)
    /// Takes away a device's network, or gives it back.
    func setOnline(_ isOnline: Bool, device: Int)
    /// Breaks a device's connection in the middle of a frame.
    func breakConnection(of device: Int)
}

/// An answer of the origin.
enum OriginAnswer {
    case body([UInt8])
    /// A status other than 200; `retryAfter` is in s.
    case refused(status: Int, retryAfter: Int?)
    case unreachable(String)
}
