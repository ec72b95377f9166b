package import Basics
internal import FrameCodec

extension ReloadEvent {
    /// Reads the body of RELOAD.
    package init(seq: UInt64, reading bytes: ByteView) throws(ProtocolError) {
        var body = BodyReader(bytes, of: .reload)
        var device: String?
        var kinds: [String] = []
        var widgets: [String] = []
        var cause: String?
        var values: [String: String]?
        while let name = body.next() {
            switch name {
            case "device": device = try body.string().string
            case "kinds": kinds = try body.strings()
            case "widgets": widgets = try body.strings()
            case "cause": cause = try body.string().string
            case "values": values = try Self.values(body.members())
            default: body.skip()
            }
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

    /// The members of an object whose values are objects, each value as its JSON text.
    private static func values(_ members: BodyReader) throws(ProtocolError) -> [String: String] {
        var members = members
        var values: [String: String] = [:]
        while let name = members.next()?.string { values[name] = try members.object().string }
        return values
    }
}

extension ScheduledReload {
    /// Reads the body of SCHEDULED.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        var body = BodyReader(bytes, of: .scheduled)
        var reloadAt: WallTime?
        // A length, and written as a date is: a whole number of ms, from 0.
        var slotDelay: WallTime?
        var warning: String?
        while let name = body.next() {
            switch name {
            case "reloadAt": reloadAt = try body.date()
            case "slotDelay": slotDelay = try body.date()
            case "warning": warning = try body.string().string
            default: body.skip()
            }
        }
        self.init(
            reloadAt: try body.required(reloadAt, at: "reloadAt").rawValue,
            slotDelay: slotDelay?.rawValue ?? 0,
            warning: warning
        )
    }
}
