package import Basics

/// The body of WELCOME: the session's id and the limits that apply to it.
package struct WelcomeMessage: Equatable, Sendable {
    /// The session's id, which also appears in the router's log.
    package var session: String
    /// The longest body that the router accepts, in bytes.
    package var maxBody: Int
    /// The most pushes that may be unacknowledged at a time.
    package var window: Int
    /// The sequence number of the producer's highest accepted push; nil for devices and gateways.
    package var lastSeq: UInt64?
    /// The producer's rejected pushes above the number that HELLO names, in ascending order; nil if
    /// it names none.
    package var rejected: [RejectedPush]?
    /// If the router does not know all of them, the number above which it does; else nil.
    package var rejectedAfter: UInt64?
    /// How many numbers up to the one that HELLO names as answered the router knows nothing of, the
    /// last ones: it has lost these pushes. Nil if it knows of all.
    package var behind: UInt64?

    /// Makes a WELCOME; `lastSeq` is nil except for a publisher.
    package init(session: String, maxBody: Int, window: Int, lastSeq: UInt64?) {
        self.session = session
        self.maxBody = maxBody
        self.window = window
        self.lastSeq = lastSeq
    }

    /// The body as the router sends it.
    package var encoded: [UInt8] {
        JSONWriter.object { json in
            json.member("v", value: HelloMessage.version)
            json.member("session", value: session)
            json.member("maxBody", value: maxBody)
            json.member("window", value: window)
            if let lastSeq { json.member("lastSeq", value: lastSeq) }
            if let rejected {
                json.list("rejected", of: rejected) { push, json in
                    json.object { json in
                        json.member("seq", value: push.seq)
                        json.member("code", value: push.code)
                    }
                }
            }
            if let rejectedAfter { json.member("rejectedAfter", value: rejectedAfter) }
            if let behind { json.member("behind", value: behind) }
        }
    }

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(reading bytes: ByteView) throws(ProtocolError) {
        var body = BodyReader(bytes, of: .welcome)
        var session: String?
        var maxBody: UInt64?
        var window: UInt64?
        while let name = body.next() {
            switch name {
            case "session": session = try body.string().string
            case "maxBody": maxBody = try body.unsigned()
            case "window": window = try body.unsigned()
            case "lastSeq": lastSeq = try body.unsigned()
            case "rejected":
                var list = try body.elements()
                var pushes: [RejectedPush] = []
                while list.nextElement() { pushes.append(try RejectedPush(list.members())) }
                rejected = pushes
            case "rejectedAfter": rejectedAfter = try body.unsigned()
            case "behind": behind = try body.unsigned()
            default: body.skip()
            }
        }
        self.session = try body.required(session, at: "session")
        self.maxBody = Int(clamping: try body.required(maxBody, at: "maxBody"))
        self.window = max(1, Int(clamping: try body.required(window, at: "window")))
    }
}

/// A push whose rejection WELCOME repeats, because its REJECT may have been lost.
package struct RejectedPush: Equatable, Sendable {
    /// The push's sequence number.
    package var seq: UInt64
    /// The code of its REJECT; the sentence is not kept.
    package var code: String

    /// Makes a rejected push.
    package init(seq: UInt64, code: String) {
        self.seq = seq
        self.code = code
    }

    fileprivate init(_ members: BodyReader) throws(ProtocolError) {
        var body = members
        var seq: UInt64?
        var code: String?
        while let name = body.next() {
            switch name {
            case "seq": seq = try body.unsigned()
            case "code": code = try body.string().string
            default: body.skip()
            }
        }
        self.seq = try body.required(seq, at: "seq")
        self.code = try body.required(code, at: "code")
    }
}

extension ProtocolError {
    /// The error as the body of ERROR or REJECT.
    package var encoded: [UInt8] {
        JSONWriter.object { json in
            json.member("code", value: code.rawValue)
            json.member("retry", value: code.retry.rawValue)
            json.member("message", value: message)
        }
    }
}

/// The body of ERROR or REJECT as a client reads it; the code may be one that it does not know.
package struct RefusalMessage {
    /// The code of the error, such as `body-invalid`.
    package var code: String
    /// Whether another attempt may succeed. By this a client judges a code that it does not know.
    package var retry: RetryAdvice
    /// A sentence for people that says what was wrong; empty if the frame has none.
    package var message: String

    /// Reads a body that the scanner has accepted.
    ///
    /// - Throws: `body-invalid`.
    package init(reading bytes: ByteView, of frame: FrameType) throws(ProtocolError) {
        var body = BodyReader(bytes, of: frame)
        var code: String?
        var retry: String?
        var message = ""
        while let name = body.next() {
            switch name {
            case "code": code = try body.string().string
            case "retry": retry = try body.string().string
            case "message": message = try body.string().string
            default: body.skip()
            }
        }
        let found = try body.required(code, at: "code")
        self.code = found
        // An advice of a newer router that is not known here is "no": what is tried without a
        // reason may be tried for ever.
        self.retry =
            retry.map { RetryAdvice(rawValue: $0) ?? .no } ?? ErrorCode(rawValue: found)?.retry
            ?? .no
        self.message = message
    }
}

/// The body of SCHEDULED: when a widget whose timeline asked for a later reload will get it.
package enum ScheduledMessage {
    /// A flaw of a timeline that the router accepted; the app should correct it.
    package enum Warning: String, CaseIterable, Sendable {
        /// Two entries of the timeline are less than `TimelineMessage.entrySpacing` apart.
        case entriesClose = "entries-close"
        /// The device asks to be reloaded at once after each RELOAD: it has to wait.
        case loop
    }

    /// Encodes the body without a `JSONWriter`, for speed: almost every TIMELINE is answered with
    /// one. The identifiers need no escapes. `slotDelay` is how far `reloadAt` is after the date
    /// that the timeline asked for.
    package static func encode(
        device: ByteView,
        widget: ByteView,
        reloadAt: WallTime,
        slotDelay: Milliseconds,
        warning: Warning?
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(128 + device.count + widget.count)
        append("{\"device\":\"", to: &body)
        append(device, to: &body)
        append("\",\"widget\":\"", to: &body)
        append(widget, to: &body)
        append("\",\"reloadAt\":", to: &body)
        append(reloadAt.rawValue, to: &body)
        append(",\"slotDelay\":", to: &body)
        append(slotDelay.rawValue, to: &body)
        switch warning {
        case .entriesClose: append(",\"warning\":\"entries-close\"}", to: &body)
        case .loop: append(",\"warning\":\"loop\"}", to: &body)
        case nil: append("}", to: &body)
        }
        return body
    }

    private static func append(_ text: StaticString, to body: inout [UInt8]) {
        unsafe body.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    private static func append(_ bytes: ByteView, to body: inout [UInt8]) {
        for index in 0..<bytes.count { body.append(bytes[index]) }
    }

    private static func append(_ number: Int64, to body: inout [UInt8]) {
        if number < 0 { body.append(UInt8(ascii: "-")) }
        let start = body.count
        var rest = number.magnitude
        repeat {
            body.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        body[start...].reverse()
    }
}
