internal import Basics
internal import ReloadRouterClient

/// The world around a fleet's devices: sockets, or a simulation.
protocol FleetPorts: AnyObject {
    /// The time by a monotonic clock.
    var exactTime: ExactTime { get }
    /// Sends a frame of a device, perhaps later. If `widget` is not nil, the frame is the TIMELINE
    /// of that widget, and the router's answer is reported by `FleetEngine.scheduled`.
    func send(_ frame: DeviceFrame, of device: Int, widget: Int?)
    /// Sends a fetch to the origin; its answer is reported by `FleetEngine.fetched`.
    func fetch(_ path: String, number: Int)
    /// True if the router can reach the device now.
    func isConnected(_ device: Int) -> Bool
    /// Disconnects a device from the network, or connects it again.
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
