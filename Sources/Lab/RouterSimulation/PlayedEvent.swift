package import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
package import RouterCore
internal import StrictJSON

/// What a router did when a capture was played.
package enum PlayedEvent {
    /// A RELOAD; the body is the frame's, valid for the call.
    case reload(app: String, seq: UInt64, body: ByteView)
    /// Why a widget reloads, or does not.
    case decided(TracedDecision)
    /// A frame was refused; the body is the REJECT's.
    case rejected(connection: UInt32, seq: UInt64, body: ByteView)
    /// A session was ended by the router; the body is the ERROR's.
    case ended(connection: UInt32, body: ByteView)
}

extension PlayedEvent {
    /// The event as one line of JSON, the same bytes every time.
    ///
    ///     {"at":1780272001234,"app":"a","reload":7,"device":"d-1","kinds":["k"],"widgets":["w1"],…}
    ///     {"at":…,"app":"a","device":"d-1","widget":"w1","kind":"k","decision":"spacing",…}
    ///     {"at":…,"connection":3,"reject":5,"code":"kind-unknown","message":"…"}
    ///     {"at":…,"connection":3,"error":"app-unknown","message":"…"}
    ///
    /// - Parameter time: when it happened, in ms since 1970.
    /// - Returns: the line without its end; nil for what another line tells.
    package func line(at time: Int64) -> [UInt8]? {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("at", time)
        switch self {
        case .reload(let app, let seq, let body):
            writer.member("app", app)
            writer.member("reload", seq)
            // The frame's members follow as they are.
            var bytes = writer.bytes
            bytes.append(0x2c)
            bytes += body.slice(1, body.count).array
            return bytes
        case .decided(let traced):
            // RELOAD tells it.
            if traced.decision.reason == .sent { return nil }
            Self.write(traced, to: &writer)
        case .rejected(let connection, let seq, let body):
            writer.member("connection", connection)
            writer.member("reject", seq)
            Self.write(body, of: .reject, as: "code", to: &writer)
        case .ended(let connection, let body):
            writer.member("connection", connection)
            Self.write(body, of: .error, as: "error", to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ traced: TracedDecision, to writer: inout JSONWriter) {
        writer.member("app", traced.app)
        writer.member("device", traced.device)
        writer.member("widget", traced.widget)
        writer.member("kind", traced.kind)
        writer.member("decision", traced.decision.reason.name)
        writer.member("cause", traced.decision.cause.rawValue)
        if let until = traced.decision.until { writer.member("until", until) }
    }

    /// What a REJECT or an ERROR, which the router itself has encoded, says.
    private static func write(
        _ body: ByteView,
        of type: FrameType,
        as name: String,
        to writer: inout JSONWriter
    ) {
        let refusal = try? RefusalMessage(reading: body, of: type)
        writer.member(name, refusal?.code ?? "")
        writer.member("message", refusal?.message ?? "")
    }
}
