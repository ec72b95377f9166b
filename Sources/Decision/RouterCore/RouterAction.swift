package import ReloadModel

/// Something for the driver to do; one `switch` performs them, in order.
///
/// Plain bits, so that a step's actions go through a reused array without touching a reference
/// count. Texts, which only rare actions have, lie in `Outbox.bodies`.
package enum RouterAction: BitwiseCopyable, Sendable {
    /// Write a RELOAD; the router encodes it (`Router.write`).
    case reload(ReloadOrder)
    /// Write an ACK that covers everything up to `seq`; a publisher's carries the matched count.
    case acknowledge(connection: UInt32, seq: UInt64, matched: UInt32?)
    /// Write a PONG.
    case pong(connection: UInt32, seq: UInt64)
    /// Write a PING.
    case ping(connection: UInt32)
    /// Write a frame whose body is `bodies[body]`: WELCOME, REJECT, SCHEDULED, GOAWAY.
    case write(connection: UInt32, type: UInt8, seq: UInt64, body: Int)
    /// Write an ERROR with the body `bodies[body]`, flush, and close.
    case fail(connection: UInt32, code: ErrorCode, body: Int)
}

/// A RELOAD to be written: one device, and the widgets that are to be reloaded.
package struct ReloadOrder: BitwiseCopyable, Sendable {
    package var connection: UInt32
    package var device: DeviceID
    package var seq: UInt64
    /// The widgets' place in the router's list of this step.
    var firstWidget: Int
    var widgetCount: Int
    var cause: ReloadCause
}
