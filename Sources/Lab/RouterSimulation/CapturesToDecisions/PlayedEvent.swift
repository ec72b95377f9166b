package import Basics
internal import FrameCodec
internal import ReloadScheduling
package import RouterCore

/// Something that the router did while a capture was played.
package enum PlayedEvent {
    /// The router sent a RELOAD. Bodies of frames are valid only while the event is reported.
    case reload(app: String, seq: UInt64, body: ByteView)
    /// The router decided on a widget's reload.
    case decided(TracedDecision)
    /// The router refused a frame. The body is that of the REJECT.
    case rejected(connection: UInt32, seq: UInt64, body: ByteView)
    /// The router ended a session. The body is that of the ERROR.
    case ended(connection: UInt32, body: ByteView)
}

extension PlayedEvent {
    /// Formats the event as one line of JSON; equal events give equal bytes.
    ///
    ///     {"at":1780272001234,"app":"a","reload":7,"device":"d-1","kinds":["k"],…}
    ///     {"at":…,"app":"a","device":"d-1","widget":"w1","kind":"k","decision":"spacing",…}
    ///     {"at":…,"connection":3,"reject":5,"code":"kind-unknown","message":"…"}
    ///     {"at":…,"connection":3,"error":"app-unknown","message":"…"}
    ///
    /// - Parameter time: when it happened.
    /// - Returns: the line without a line feed; nil for the decision to send a RELOAD, because the
    ///   line of the RELOAD contains it.
    package func line(at time: WallTime) -> [UInt8]? {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("at", value: time.rawValue)
        switch self {
        case .reload(let app, let seq, let body):
            writer.member("app", value: app)
            writer.member("reload", value: seq)
            // The members of the frame's body follow unchanged.
            var bytes = writer.bytes
            bytes.append(0x2c)
            bytes += body.slice(1, to: body.count).array
            return bytes
        case .decided(let traced):
            // The line of the RELOAD includes it.
            if traced.decision.reason == .sent { return nil }
            Self.write(traced, to: &writer)
        case .rejected(let connection, let seq, let body):
            writer.member("connection", value: connection)
            writer.member("reject", value: seq)
            Self.write(body, of: .reject, as: "code", to: &writer)
        case .ended(let connection, let body):
            writer.member("connection", value: connection)
            Self.write(body, of: .error, as: "error", to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ traced: TracedDecision, to writer: inout JSONWriter) {
        writer.member("app", value: traced.app)
        writer.member("device", value: traced.device)
        writer.member("widget", value: traced.widget)
        writer.member("kind", value: traced.kind)
        writer.member("decision", value: traced.decision.reason.name)
        writer.member("cause", value: traced.decision.cause.rawValue)
        if let until = traced.decision.until { writer.member("until", value: until) }
    }

    /// Writes the code and the message of a REJECT or an ERROR, which the router itself has
    /// encoded.
    private static func write(
        _ body: ByteView,
        of type: FrameType,
        as name: String,
        to writer: inout JSONWriter
    ) {
        let refusal = try? RefusalMessage(reading: body, of: type)
        writer.member(name, value: refusal?.code ?? "")
        writer.member("message", value: refusal?.message ?? "")
    }
}
