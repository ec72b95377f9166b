package import Basics
internal import FrameCodec

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
