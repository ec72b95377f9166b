import APNsProtocol
import Basics

@testable import HTTP2

/// Whatever a peer of HTTP/2 sends: events are the same in whatever two pieces it comes, each
/// request ends once, what is kept is within the limits, and an answer of APNs has a meaning.
///
///     what is fuzzed: what kind, a byte │ where it is cut, two bytes │ what is done there, a byte
///                     │ what the peer sends: bytes, or frames, whose lengths are made right
///     a frame:        type │ flags │ stream │ its length, two bytes │ its payload
final class HTTP2Fuzzing: FuzzTarget {
    private static var limits: HTTP2Limits {
        var limits = HTTP2Limits()
        limits.headBytes = 256
        limits.bodyBytes = 512
        limits.streams = 4
        return limits
    }

    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        let kind = input.byte()
        let side: HTTP2Session.Side = kind & 1 == 0 ? .client : .server
        let cut = Int(input.number(2))
        let action = input.byte()
        let bytes = kind & 2 == 0 ? input.rest.array : Self.frames(of: &input, side: side)
        let position = min(cut, bytes.count)
        let pieces = [Array(bytes[..<position]), Array(bytes[position...])]
        let requests = side == .client ? Int(kind >> 2) % 8 : 0
        let whole = HTTP2Play(side, limits: Self.limits, requests: requests)
        whole.receive(bytes)
        let parts = HTTP2Play(side, limits: Self.limits, requests: requests)
        parts.receive(pieces[0])
        let isGoingAway = parts.isGoingAway
        parts.receive(pieces[1])
        compare(whole, with: parts, isGoingAway: isGoingAway)
        let played = HTTP2Play(side, limits: Self.limits, requests: requests)
        played.receive(pieces[0])
        played.act(action)
        played.receive(pieces[1])
        for one in [whole, parts, played] { one.end() }
    }

    /// Requires that a whole and its parts led to the same.
    ///
    /// Once the peer has gone away and no stream is open, nghttp2 reads the rest of the piece, and
    /// no further one. So the whole may have more in that case, but of no request.
    private func compare(_ whole: HTTP2Play, with parts: HTTP2Play, isGoingAway: Bool) {
        let difference = "\(whole.lines) in one piece, \(parts.lines) in two"
        let rest = whole.lines.dropFirst(parts.lines.count)
        if !isGoingAway || rest.isEmpty {
            require(whole.lines == parts.lines, difference)
            require(
                isGoingAway || whole.state == parts.state,
                "\(whole.state) in one piece, \(parts.state) in two"
            )
            return
        }
        require(whole.lines.starts(with: parts.lines), difference)
        let more = whole.isFailed ? rest.dropLast() : rest
        require(more.allSatisfy(HTTP2Play.isOfConnection), difference)
    }

    /// Frames with lengths that agree with their payloads; a server's begin with the preface.
    private static func frames(of input: inout FuzzInput, side: HTTP2Session.Side) -> [UInt8] {
        var bytes =
            side == .server ? Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) : []
        while !input.isAtEnd {
            let (type, flags, stream) = (input.byte(), input.byte(), input.byte())
            let payload = input.counted()
            bytes += [
                UInt8(payload.count >> 16 & 0xff), UInt8(payload.count >> 8 & 0xff),
                UInt8(payload.count & 0xff), type, flags, 0, 0, 0, stream,
            ]
            bytes += payload.array
        }
        return bytes
    }
}

/// One side of HTTP/2, its peer's bytes, and what has become of them.
private final class HTTP2Play {
    private let session: HTTP2Session
    private let side: HTTP2Session.Side
    private let limits: HTTP2Limits
    /// What has happened, a line for each event.
    private(set) var lines: [String] = []
    /// The requests that have not ended.
    private var open: Set<UInt64> = []
    /// The streams of a server that were asked for something.
    private var asked: Set<Int32> = []
    private var lastNumber: UInt64 = 0
    /// Whether the peer has broken the rules.
    private(set) var isFailed = false
    private var breaker = LaneBreaker()

    init(_ side: HTTP2Session.Side, limits: HTTP2Limits, requests: Int) {
        guard let session = try? HTTP2Session(side, limits: limits) else { fail("no session") }
        self.session = session
        self.side = side
        self.limits = limits
        for _ in 0..<requests { request() }
        send()
    }

    private func request() {
        var fields = HTTP2Fields()
        fields.append(":method", value: "POST")
        fields.append(":scheme", value: "https")
        fields.append(":authority", value: "a")
        fields.append(":path", value: "/3/device/00", isLiteral: true)
        let number = lastNumber + 1
        do throws(HTTP2Error) {
            try Array("{}".utf8).withByteView { (body) throws(HTTP2Error) in
                try session.request(number, fields: fields, body: body, now: .zero)
            }
        } catch {
            return
        }
        lastNumber = number
        open.insert(number)
    }

    /// Reads what the peer has sent, as a connection does: nothing more once the session is over.
    func receive(_ bytes: [UInt8]) {
        if isFailed || bytes.isEmpty { return }
        do throws(HTTP2Error) {
            try bytes.withByteView { (view) throws(HTTP2Error) in
                try view.withCopyChecked { (view) throws(HTTP2Error) in try session.receive(view) }
            }
        } catch {
            isFailed = true
            lines.append(error.description)
        }
        takeEvents()
    }

    /// Does what a connection does by itself.
    func act(_ action: UInt8) {
        if isFailed { return }
        switch action % 6 {
        case 0: session.ping()
        case 1: _ = session.cancel(sentBefore: .zero + .milliseconds(1))
        case 2: if side == .client { request() }
        case 3: session.goAway(code: UInt32(action), text: [action])
        case 4: if side == .server { session.allow(streams: Int(action >> 4)) }
        default: break
        }
        send()
        takeEvents()
    }

    private func send() {
        var count = 0
        do throws(HTTP2Error) {
            try session.takeOutput { count += $0.count }
        } catch {
            isFailed = true
        }
        // Of requests, and of answers to what was received.
        require(count < 1 << 20, "\(count) bytes of output")
    }

    private func takeEvents() {
        while let event = session.nextEvent() {
            switch event {
            case .message(let exchange): take(exchange)
            case .ended(let exchange, let ending):
                if side == .client { finish(exchange) }
                lines.append("ended \(exchange.number) on \(exchange.stream): \(ending)")
            case .settings: lines.append("settings")
            case .pong: lines.append("pong")
            case .goingAway(let code, let text): lines.append("goes away \(code) \(text)")
            }
        }
    }

    /// Whether the peer has said that it goes away.
    var isGoingAway: Bool { session.isGoingAway }

    /// Whether a line is about the connection, and about no request.
    static func isOfConnection(_ line: String) -> Bool {
        line == "settings" || line == "pong" || line.hasPrefix("goes away ")
    }

    /// What holds once all events have been taken.
    var state: [Int] { [session.peerStreams, session.openCount, session.isGoingAway ? 1 : 0] }

    private func finish(_ exchange: HTTP2Exchange) {
        require(open.remove(exchange.number) != nil, "request \(exchange.number) ends twice")
    }

    private func take(_ exchange: HTTP2Exchange) {
        let message = session.message(of: exchange)
        require(message.body.count <= limits.bodyBytes, "a body of \(message.body.count) bytes")
        let head = message.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        // A byte that is not UTF-8 is read as three.
        require(head <= 3 * limits.headBytes, "a head of \(head) bytes")
        lines.append(
            "\(exchange.number) on \(exchange.stream): \(message.status) \(message.body) "
                + "\(message.fields)"
        )
        if side == .client {
            finish(exchange)
            require((200...999).contains(message.status), "an answer of status \(message.status)")
            let answer = message.body.withByteView {
                APNsAnswer(
                    status: message.status,
                    hasID: message.hasField("apns-id"),
                    contentType: message.field("content-type"),
                    body: $0
                )
            }
            lines.append("\(answer.verdict)")
            judge(answer)
        } else {
            require(asked.insert(exchange.stream).inserted, "stream \(exchange.stream) asks twice")
            var fields = HTTP2Fields()
            fields.append(":status", value: "200")
            let body: [UInt8] = exchange.stream % 3 == 0 ? [] : [0x7b, 0x7d]
            try? body.withByteView { try session.answer(exchange, fields: fields, body: $0) }
        }
    }

    private func judge(_ answer: APNsAnswer) {
        switch answer.verdict {
        case .accepted: _ = breaker.accepted(.first)
        case .stopped, .strange: _ = breaker.stop(answer.cause, at: .zero)
        case .later(let pause), .elsewhere(let pause):
            require(pause.spread(by: .max) >= pause && pause >= .zero, "a pause of \(pause)")
        default: breaker.ended(at: .zero)
        }
    }

    /// The connection is lost: all requests have ended then, each once.
    func end() {
        send()
        takeEvents()
        session.endAll()
        takeEvents()
        require(open.isEmpty, "the requests \(open) never end")
        require(session.openCount == 0, "\(session.openCount) streams are open at the end")
    }
}
