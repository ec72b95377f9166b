package import DataStructures
internal import FrameCodec
package import ReloadModel
internal import StrictJSON

// The bodies of frames from the router, decoded. The strict scanner has accepted the bytes already.

extension ReloadEvent {
    /// Reads the body of RELOAD.
    package init(seq: UInt64, _ bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .reload)
        var device: String?
        var kinds: [String] = []
        var widgets: [String] = []
        var cause: String?
        var values: [String: String]?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, "device").string
            } else if name == "kinds" {
                kinds = try Self.strings(try body.array(&reader, "kinds"), body, "kinds")
            } else if name == "widgets" {
                widgets = try Self.strings(try body.array(&reader, "widgets"), body, "widgets")
            } else if name == "cause" {
                cause = try body.string(&reader, "cause").string
            } else if name == "values" {
                values = try Self.objects(try body.object(&reader, "values"), body, "values")
            } else {
                return false
            }
            return true
        }
        self.init(
            seq: seq,
            device: try body.required(device, "device"),
            kinds: kinds,
            widgets: widgets,
            cause: try body.required(cause, "cause"),
            values: values,
            body: bytes.array
        )
    }

    private static func strings(
        _ array: ByteView,
        _ body: BodyReader,
        _ path: String
    ) throws(ProtocolError) -> [String] {
        var reader = JSONReader(array)
        reader.enterArray()
        var strings: [String] = []
        while reader.nextElement() {
            strings.append(try body.string(&reader, "\(path)[\(strings.count)]").string)
        }
        return strings
    }

    /// The members of an object whose values are objects, each value as its JSON text.
    private static func objects(
        _ object: ByteView,
        _ body: BodyReader,
        _ path: String
    ) throws(ProtocolError) -> [String: String] {
        var reader = JSONReader(object)
        reader.enterObject()
        var objects: [String: String] = [:]
        while let key = reader.nextKey() {
            let name = key.string
            objects[name] = try body.object(&reader, "\(path).\(name)").string
        }
        return objects
    }
}

extension ScheduledReload {
    /// Reads the body of SCHEDULED.
    init(_ bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .scheduled)
        var reloadAt: Int64?
        var slotDelay: Int64?
        var warning: String?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "reloadAt" {
                reloadAt = try body.date(&reader, "reloadAt")
            } else if name == "slotDelay" {
                slotDelay = try body.date(&reader, "slotDelay")
            } else if name == "warning" {
                warning = try body.string(&reader, "warning").string
            } else {
                return false
            }
            return true
        }
        self.init(
            reloadAt: try body.required(reloadAt, "reloadAt"),
            slotDelay: slotDelay ?? 0,
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
