package import Basics

/// The body of ATTACH: the devices for which a gateway speaks from now on.
package struct AttachMessage {
    /// The JSON array of the devices' ids.
    package var devices: ByteView

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`, also for more devices than `RouterLimits.devicesPerAttach`.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        var body = BodyReader(bytes, of: .attach)
        var devices: ByteView?
        while let name = body.next() {
            if name == "devices" { devices = try body.array() } else { body.skip() }
        }
        self.devices = try body.required(devices, at: "devices")
        var count = 0
        try visitDevices { (_, _) throws(ProtocolError) in
            count += 1
            if count > RouterLimits.devicesPerAttach {
                throw ProtocolError(
                    .bodyInvalid,
                    message: "ATTACH has more than \(RouterLimits.devicesPerAttach) devices"
                )
            }
        }
    }

    /// Calls `body` with each id and its position.
    ///
    /// - Throws: `body-invalid` for an element that is no string, or what `body` throws.
    package func visitDevices(
        _ body: (Int, JSONText) throws(ProtocolError) -> Void
    ) throws(ProtocolError) {
        var list = BodyReader(list: devices, named: "devices", of: .attach)
        var position = 0
        while list.nextElement() {
            try body(position, try list.string())
            position += 1
        }
    }

    /// The body as a gateway sends it.
    package static func encode(_ devices: some Sequence<String>) -> [UInt8] {
        JSONWriter.object { $0.list("devices", of: devices) }
    }
}

/// The body of ATTACHED: what became of the devices of an ATTACH.
package struct AttachedMessage: Equatable, Sendable {
    /// The number of devices for which the gateway speaks now.
    package var count = 0
    /// The devices that are not stored: their widgets have to be sent.
    package var unknown: [String] = []
    /// The devices that have sessions of their own.
    package var own: [String] = []
    /// The devices that the gateway's credential is not for.
    package var foreign: [String] = []

    /// Makes the answer to an ATTACH without devices.
    package init() {}

    /// The body as the router sends it; empty lists are left out.
    package var encoded: [UInt8] {
        JSONWriter.object { json in
            json.member("attached", value: count)
            for (name, list) in [("unknown", unknown), ("own", own), ("foreign", foreign)]
            where !list.isEmpty { json.list(name, of: list) }
        }
    }

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(reading bytes: ByteView) throws(ProtocolError) {
        var body = BodyReader(bytes, of: .attached)
        var count: UInt64?
        while let name = body.next() {
            switch name {
            case "attached": count = try body.unsigned()
            case "unknown": unknown = try body.strings()
            case "own": own = try body.strings()
            case "foreign": foreign = try body.strings()
            default: body.skip()
            }
        }
        self.count = Int(clamping: try body.required(count, at: "attached"))
    }
}

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
