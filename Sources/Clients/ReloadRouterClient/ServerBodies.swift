package import DataStructures
internal import FrameCodec
package import ReloadModel
internal import StrictJSON
internal import Times

// The bodies of frames from the router, decoded. The strict scanner has accepted the bytes already.

extension ReloadEvent {
    /// Reads the body of RELOAD.
    package init(seq: UInt64, reading bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .reload)
        var device: String?
        var kinds: [String] = []
        var widgets: [String] = []
        var cause: String?
        var values: [String: String]?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, at: "device").string
            } else if name == "kinds" {
                kinds = try Self.strings(
                    try body.array(&reader, at: "kinds"),
                    of: body,
                    path: "kinds"
                )
            } else if name == "widgets" {
                widgets = try Self.strings(
                    try body.array(&reader, at: "widgets"),
                    of: body,
                    path: "widgets"
                )
            } else if name == "cause" {
                cause = try body.string(&reader, at: "cause").string
            } else if name == "values" {
                values = try Self.objects(
                    try body.object(&reader, at: "values"),
                    of: body,
                    path: "values"
                )
            } else {
                return false
            }
            return true
        }
        self.init(
            seq: seq,
            device: try body.required(device, at: "device"),
            kinds: kinds,
            widgets: widgets,
            cause: try body.required(cause, at: "cause"),
            values: values,
            body: bytes.array
        )
    }

    private static func strings(
        _ array: ByteView,
        of body: BodyReader,
        path: String
    ) throws(ProtocolError) -> [String] {
        var reader = JSONReader(array)
        reader.enterArray()
        var strings: [String] = []
        while reader.nextElement() {
            strings.append(try body.string(&reader, at: "\(path)[\(strings.count)]").string)
        }
        return strings
    }

    /// The members of an object whose values are objects, each value as its JSON text.
    private static func objects(
        _ object: ByteView,
        of body: BodyReader,
        path: String
    ) throws(ProtocolError) -> [String: String] {
        var reader = JSONReader(object)
        reader.enterObject()
        var objects: [String: String] = [:]
        while let key = reader.nextKey() {
            let name = key.string
            objects[name] = try body.object(&reader, at: "\(path).\(name)").string
        }
        return objects
    }
}

extension ScheduledReload {
    /// Reads the body of SCHEDULED.
    init(_ bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .scheduled)
        var reloadAt: WallTime?
        // A length, and written as a date is: a whole number of ms, from 0.
        var slotDelay: WallTime?
        var warning: String?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "reloadAt" {
                reloadAt = try body.date(&reader, at: "reloadAt")
            } else if name == "slotDelay" {
                slotDelay = try body.date(&reader, at: "slotDelay")
            } else if name == "warning" {
                warning = try body.string(&reader, at: "warning").string
            } else {
                return false
            }
            return true
        }
        self.init(
            reloadAt: try body.required(reloadAt, at: "reloadAt").rawValue,
            slotDelay: slotDelay?.rawValue ?? 0,
            warning: warning
        )
    }
}

extension ClientError {
    /// The error for a body that the router should not have sent.
    init(_ error: ProtocolError) {
        self = .protocolBroken("\(error.code.rawValue): \(error.message)")
    }
}
