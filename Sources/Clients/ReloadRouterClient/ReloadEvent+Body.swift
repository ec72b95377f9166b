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
                kinds = try body.strings(&reader, at: "kinds")
            } else if name == "widgets" {
                widgets = try body.strings(&reader, at: "widgets")
            } else if name == "cause" {
                cause = try body.string(&reader, at: "cause").string
            } else if name == "values" {
                values = try body.objects(&reader, at: "values")
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
}

extension ScheduledReload {
    /// Reads the body of SCHEDULED.
    package init(_ bytes: ByteView) throws(ProtocolError) {
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

extension BodyReader {
    /// A list of texts.
    fileprivate func strings(
        _ reader: inout JSONReader,
        at path: String
    ) throws(ProtocolError) -> [String] {
        var list = JSONReader(try array(&reader, at: path))
        list.enterArray()
        var strings: [String] = []
        while list.nextElement() {
            strings.append(try string(&list, at: "\(path)[\(strings.count)]").string)
        }
        return strings
    }

    /// The members of an object whose values are objects, each value as its JSON text.
    fileprivate func objects(
        _ reader: inout JSONReader,
        at path: String
    ) throws(ProtocolError) -> [String: String] {
        var map = JSONReader(try object(&reader, at: path))
        map.enterObject()
        var objects: [String: String] = [:]
        while let key = map.nextKey() {
            let name = key.string
            objects[name] = try object(&map, at: "\(path).\(name)").string
        }
        return objects
    }
}
