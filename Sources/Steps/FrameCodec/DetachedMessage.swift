package import Basics

/// The body of DETACHED: a gateway no longer speaks for a device.
package struct DetachedMessage: Equatable, Sendable {
    /// Why the gateway has lost the device.
    package enum Reason: String, CaseIterable, Sendable {
        /// The device has a session of its own now.
        case session
        /// Another gateway has sent a frame about the device.
        case gateway
        /// Another gateway has removed the device.
        case removed
    }

    /// The id of the device.
    package var device: String
    /// The reason, as the router names it; a client may not know it.
    package var reason: String

    /// Makes the body as the router sends it; `device` is an identifier.
    package static func encode(device: ByteView, reason: Reason) -> [UInt8] {
        JSONWriter.object { json in
            json.key("device")
            json.string(device)
            json.member("reason", value: reason.rawValue)
        }
    }

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(reading bytes: ByteView) throws(ProtocolError) {
        var body = BodyReader(bytes, of: .detached)
        var device: String?
        var reason: String?
        while let name = body.next() {
            switch name {
            case "device": device = try body.string().string
            case "reason": reason = try body.string().string
            default: body.skip()
            }
        }
        self.device = try body.required(device, at: "device")
        self.reason = try body.required(reason, at: "reason")
    }
}
