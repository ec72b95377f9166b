package import Basics

/// The body of ATTACH: the devices for which a gateway speaks from now on.
package struct AttachMessage {
    /// The JSON array of the devices' ids.
    package var devices: ByteView

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`, also for more devices than `RouterLimits.devicesPerAttach`.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .attach)
        var devices: ByteView?
        try body.members { (name, reader) throws(ProtocolError) in
            guard name == "devices" else { return false }
            devices = try body.array(&reader, at: "devices")
            return true
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
        let elements = BodyReader(devices, of: .attach)
        var reader = JSONReader(devices)
        reader.enterArray()
        var position = 0
        while reader.nextElement() {
            try body(position, try elements.string(&reader, at: "devices[\(position)]"))
            position += 1
        }
    }

    /// The body as a gateway sends it.
    package static func encode(_ devices: some Sequence<String>) -> [UInt8] {
        JSONWriter.object { json in
            json.key("devices")
            json.beginArray()
            for device in devices { json.string(device) }
            json.endArray()
        }
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
            where !list.isEmpty {
                json.key(name)
                json.beginArray()
                for device in list { json.string(device) }
                json.endArray()
            }
        }
    }

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(reading bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .attached)
        var found = AttachedMessage()
        var count: UInt64?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "attached" {
                count = try body.unsigned(&reader, at: "attached")
            } else if name == "unknown" {
                found.unknown = try Self.list(&reader, of: body, at: "unknown")
            } else if name == "own" {
                found.own = try Self.list(&reader, of: body, at: "own")
            } else if name == "foreign" {
                found.foreign = try Self.list(&reader, of: body, at: "foreign")
            } else {
                return false
            }
            return true
        }
        found.count = Int(clamping: try body.required(count, at: "attached"))
        self = found
    }

    private static func list(
        _ reader: inout JSONReader,
        of body: BodyReader,
        at path: String
    ) throws(ProtocolError) -> [String] {
        var names: [String] = []
        var elements = JSONReader(try body.array(&reader, at: path))
        elements.enterArray()
        while elements.nextElement() { names.append(try body.string(&elements, at: path).string) }
        return names
    }
}
