package import FrameCodec

/// A frame of a device that holds no session, as it came over HTTP.
package struct DeviceReport: Sendable {
    /// The app's id.
    package let app: String
    /// The device's id, which is a valid identifier.
    package let device: String
    /// WIDGETS, TIMELINE, STATE or REQUEST.
    package let type: FrameType
    /// Whether a gateway has sent it. A gateway may not speak for a device that has a session.
    package let isOfGateway: Bool
    /// The body of such a frame, not yet validated; it need not name the device.
    package let body: [UInt8]
}
