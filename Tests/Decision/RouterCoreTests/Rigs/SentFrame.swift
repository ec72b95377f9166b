import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

/// A RELOAD as its device reads it.
struct SentReload: Equatable, CustomStringConvertible {
    var slot: ConnectionSlot
    var seq: UInt64 = 0
    var device = ""
    var kinds: [String] = []
    var widgets: [String] = []
    var cause = ""
    /// The values that it brings, by widget, as JSON.
    var values: [String: String] = [:]
    var byteCount = 0

    var description: String { "\(device) \(widgets) \(cause) on \(slot), seq \(seq)" }
}

/// What the router has sent, as the peer reads it.
enum SentFrame: Equatable {
    case reload(SentReload)
    case ack(ConnectionSlot, seq: UInt64, matched: UInt32?)
    case ping(ConnectionSlot)
    case pong(ConnectionSlot, seq: UInt64)
    case welcome(ConnectionSlot, String)
    case reject(ConnectionSlot, seq: UInt64, ErrorCode?, String)
    case outcome(ConnectionSlot, seq: UInt64, String)
    case scheduled(ConnectionSlot, seq: UInt64, String)
    case detached(ConnectionSlot, String)
    case attached(ConnectionSlot, seq: UInt64, String)
    case goaway(ConnectionSlot, String)
    case fail(ConnectionSlot, ErrorCode?, String)

    /// The connection that it went to.
    var slot: ConnectionSlot {
        switch self {
        case .reload(let reload): reload.slot
        case .ack(let slot, _, _), .ping(let slot), .pong(let slot, _), .welcome(let slot, _),
            .reject(let slot, _, _, _), .outcome(let slot, _, _), .scheduled(let slot, _, _),
            .detached(let slot, _), .attached(let slot, _, _), .goaway(let slot, _),
            .fail(let slot, _, _):
            slot
        }
    }
}

/// Reads what a router sends.
struct SentFrames: FrameSink {
    var sent: [SentFrame] = []
    /// The last ACK for pushes.
    private(set) var acknowledgement: OutgoingFrame?
    /// Of all frames.
    private(set) var transcript = Transcript()

    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) {
        transcript.add(frame: bytes, for: frame.connection.rawValue)
        guard let header = try? FrameHeader.decode(bytes, at: 0, maxBody: 1 << 20),
            header.type == frame.type, header.bodyCount + FrameHeader.byteCount == bytes.count
        else {
            Issue.record("\(frame.type) is not one whole frame: \(bytes.array)")
            return
        }
        if frame.coveredCount > 0 { acknowledgement = frame }
        let body = bytes.slice(FrameHeader.byteCount, to: bytes.count)
        sent.append(read(frame.connection, header, body))
        #expect((frame.type == .error) == (frame.code != nil))
    }

    private func read(_ slot: ConnectionSlot, _ header: FrameHeader, _ body: ByteView) -> SentFrame
    {
        let seq = header.seq
        switch header.type {
        case .reload: return .reload(SentReload(slot: slot, seq, body))
        case .ack:
            #expect(body.count == 0 || body.count == 4)
            let matched = body.count == 0 ? nil : body.bigEndian(UInt32.self, at: 0)
            return .ack(slot, seq: seq, matched: matched)
        case .ping: return .ping(slot)
        case .pong: return .pong(slot, seq: seq)
        case .welcome: return .welcome(slot, body.string)
        case .outcome: return .outcome(slot, seq: seq, body.string)
        case .scheduled: return .scheduled(slot, seq: seq, body.string)
        case .detached: return .detached(slot, body.string)
        case .attached: return .attached(slot, seq: seq, body.string)
        case .goaway: return .goaway(slot, body.string)
        case .error:
            let (code, message) = readError(body.array)
            return .fail(slot, code, message)
        default:
            #expect(header.type == .reject)
            let (code, message) = readError(body.array)
            return .reject(slot, seq: seq, code, message)
        }
    }
}

extension SentReload {
    init(slot: ConnectionSlot, _ seq: UInt64, _ body: ByteView) {
        self.init(slot: slot)
        self.seq = seq
        byteCount = FrameHeader.byteCount + body.count
        read(body)
    }

    private mutating func read(_ body: ByteView) {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        #expect(throws: Never.self) { try validateJSON(body, using: &scanner) }
        var reader = JSONReader(body)
        var names: [String] = []
        reader.enterObject()
        while let name = reader.nextKey() {
            names.append(name.string)
            switch name.string {
            case "device": device = reader.readString().string
            case "kinds": kinds = Self.strings(&reader)
            case "widgets": widgets = Self.strings(&reader)
            case "cause": cause = reader.readString().string
            case "values": values = Self.values(&reader)
            default: Issue.record("RELOAD has the member \(name.string)")
            }
        }
        let required = ["device", "kinds", "widgets", "cause"]
        #expect(names == (values.isEmpty ? required : required + ["values"]))
    }

    private static func values(_ reader: inout JSONReader) -> [String: String] {
        var values: [String: String] = [:]
        reader.enterObject()
        while let name = reader.nextKey() {
            #expect(values.updateValue(reader.rawValue().string, forKey: name.string) == nil)
        }
        #expect(!values.isEmpty, "values are left out if there are none")
        return values
    }

    private static func strings(_ reader: inout JSONReader) -> [String] {
        var strings: [String] = []
        reader.enterArray()
        while reader.nextElement() { strings.append(reader.readString().string) }
        return strings
    }
}

/// Reads code and message of an ERROR's or REJECT's body.
func readError(_ body: [UInt8]) -> (ErrorCode?, String) {
    body.withByteView { view in
        var code: ErrorCode?
        var message = ""
        var reader = JSONReader(view)
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "code" {
                code = ErrorCode(rawValue: reader.readString().string)
            } else {
                message = reader.readString().string
            }
        }
        return (code, message)
    }
}

func isReload(_ sent: SentFrame) -> SentReload? {
    if case .reload(let reload) = sent { reload } else { nil }
}

func isFailure(_ sent: SentFrame, _ slot: ConnectionSlot, _ code: ErrorCode) -> Bool {
    if case .fail(slot, code, _) = sent { true } else { false }
}

func isReject(_ sent: SentFrame, _ slot: ConnectionSlot, _ seq: UInt64, _ code: ErrorCode) -> Bool {
    if case .reject(slot, seq, code, _) = sent { true } else { false }
}

/// Checks that exactly one session has failed, and nothing else was sent.
func expectFailure(
    _ sent: [SentFrame],
    _ slot: ConnectionSlot,
    _ code: ErrorCode,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let isExpected = sent.count == 1 && isFailure(sent[0], slot, code)
    #expect(isExpected, "\(code.rawValue) expected, sent \(sent)", sourceLocation: sourceLocation)
}
