import FrameCodec
import TestSupport
import Testing

@testable import ReloadRouterClient

struct PublisherSessionTests {
    private func makeSession(_ limits: ClientLimits = ClientLimits()) -> PublisherSession {
        PublisherSession(
            HelloMessage(role: .publisher, app: "a", token: "t", name: "p"),
            limits: limits
        )
    }

    /// A session whose router has welcomed it, with its HELLO and events taken.
    private func established(
        window: Int = 8,
        lastSeq: UInt64 = 0,
        limits: ClientLimits = ClientLimits()
    ) throws -> PublisherSession {
        var session = makeSession(limits)
        session.connected()
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(
            ServerFrames.welcome(window: window, lastSeq: lastSeq),
            to: &session
        )
        _ = session.takeEvents()
        return session
    }

    private func push(_ text: String, to session: inout PublisherSession) throws -> UInt64? {
        try session.push(Array(text.utf8))
    }

    @Test("HELLO waits on each connection for its token, if one is to be provided")
    func providedToken() throws {
        let hello = HelloMessage(role: .publisher, app: "a", token: nil, name: "p")
        var session = PublisherSession(hello, awaitsToken: true)
        for token in ["first", "second"] {
            session.connected()
            // It answers meanwhile.
            try ServerFrames.feed(ServerFrames.frame(.ping, 7), to: &session)
            #expect(try ServerFrames.output(&session).map(\.type) == [.pong])
            session.identify(by: token)
            let sent = try ServerFrames.output(&session)
            #expect(sent.map(\.type) == [.hello] && sent[0].body.contains(token))
            // A second answer to the same question changes nothing.
            session.identify(by: "late")
            try ServerFrames.feed(ServerFrames.welcome(lastSeq: 0), to: &session)
            #expect(session.isEstablished)
            #expect(try ServerFrames.output(&session) == [])
            session.disconnected()
            session.identify(by: "too late")
        }
        session.connected()
        #expect(try ServerFrames.output(&session) == [])
        #expect(throws: ClientError.self) {
            try ServerFrames.feed(ServerFrames.error("too-many-connections"), to: &session)
        }
    }

    @Test("HELLO goes first, and nothing else before WELCOME")
    func helloFirst() throws {
        var session = makeSession()
        session.connected()
        let hello = try ServerFrames.output(&session)
        #expect(hello.map(\.type) == [.hello])
        #expect(
            hello[0].body
                == #"{"v":1,"role":"publisher","app":"a","token":"t","producer":"p","acked":0}"#
        )
        #expect(try ServerFrames.output(&session).isEmpty)
        #expect(!session.isEstablished)
        try ServerFrames.feed(ServerFrames.welcome(lastSeq: 0), to: &session)
        #expect(session.isEstablished)
        #expect(session.takeEvents().isEmpty)
    }

    @Test("Numbers continue after the router's lastSeq, which acknowledges nothing of this session")
    func numbersGoOn() throws {
        var session = try established(lastSeq: 41)
        let seq = try push("{}", to: &session)
        #expect(seq == 42)
        #expect(try ServerFrames.output(&session) == [.init(type: .push, seq: 42, body: "{}")])
        #expect(session.statistics.accepted == 0)
    }

    @Test("No push gets the number of one that an earlier run has had rejected")
    func numbersAboveRejected() throws {
        var session = makeSession()
        session.connected()
        #expect(try ServerFrames.output(&session)[0].body.hasSuffix(#","acked":0}"#))
        let rejected = [RejectedPush(seq: 3, code: "payload-not-json")]
        try ServerFrames.feed(ServerFrames.welcome(lastSeq: 2, rejected: rejected), to: &session)
        #expect(try push("{}", to: &session) == 4)
        #expect(session.statistics.rejected == 0)
    }

    @Test("What became of a push comes before its ACK, and news of a pause without a push")
    func outcomes() throws {
        var session = PublisherSession(
            HelloMessage(role: .publisher, app: "a", token: nil, name: "p", wantsOutcomes: true)
        )
        session.connected()
        let hello = try ServerFrames.output(&session)
        #expect(hello[0].body.hasSuffix(#""producer":"p","outcomes":true,"acked":0}"#))
        try ServerFrames.feed(ServerFrames.welcome(lastSeq: 0), to: &session)
        try ServerFrames.feed(ServerFrames.frame(.outcome, 0, #"{"paused":true}"#), to: &session)
        _ = try push("{}", to: &session)
        _ = try ServerFrames.output(&session)
        let body =
            #"{"matched":1,"counts":{"spacing":1},"widgets":[{"device":"d","widget":"w","kind":"k","#
            + #""outcome":"spacing","until":17,"why":"p"}]}"#
        try ServerFrames.feed(ServerFrames.frame(.outcome, 1, body), to: &session)
        let events = session.takeEvents()
        #expect(session.settledThrough == 0)
        try ServerFrames.feed(ServerFrames.ack(1, matched: 1), to: &session)
        #expect(session.settledThrough == 1 && session.takeEvents().isEmpty)
        #expect(events.count == 2 && events[0] == .paused(true))
        guard case .outcome(let outcome) = events[1] else {
            Issue.record("\(events[1])")
            return
        }
        #expect(outcome.seq == 1 && outcome.matched == 1 && outcome.counts == ["spacing": 1])
        #expect(outcome.widgets[0].until == 17 && outcome.widgets[0].why == "p")
        #expect(throws: ClientError.self) {
            try ServerFrames.feed(ServerFrames.frame(.outcome, 2, body), to: &session)
        }
    }

    @Test("The window and the limits on pushes and bytes end the room, and ACKs make it again")
    func room() throws {
        var session = try established(window: 2)
        #expect(try push("{}", to: &session) == 1)
        #expect(try push("{}", to: &session) == 2)
        #expect(try push("{}", to: &session) == nil)
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(1, matched: 3), to: &session)
        #expect(try push("{}", to: &session) == 3)

        var limits = ClientLimits()
        limits.unacknowledgedPushes = 1
        session = try established(limits: limits)
        #expect(try push("{}", to: &session) == 1)
        #expect(!session.hasRoom)

        limits = ClientLimits()
        limits.unacknowledgedBytes = 20
        session = try established(limits: limits)
        #expect(try push("{}", to: &session) == 1)
        #expect(try push("{}", to: &session) == 2)
        #expect(try push("{}", to: &session) == nil)
    }

    @Test("ACKs are cumulative and their matched counts add up")
    func acknowledgements() throws {
        var session = try established()
        for _ in 0..<5 { _ = try push("{}", to: &session) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(2, matched: 4), to: &session)
        #expect(session.settledThrough == 2)
        try ServerFrames.feed(ServerFrames.ack(5, matched: 1), to: &session)
        try ServerFrames.feed(ServerFrames.ack(5, matched: 0), to: &session)
        #expect(session.statistics.accepted == 5)
        #expect(session.statistics.matched == 5)
        #expect(session.settledThrough == 5 && session.takeEvents().isEmpty)
    }

    @Test("A REJECT settles its push alone, and the ACK that passes it does not count it")
    func rejections() throws {
        var session = try established(window: 3)
        for _ in 0..<3 { _ = try push("{}", to: &session) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.reject(2), to: &session)
        try ServerFrames.feed(ServerFrames.reject(2), to: &session)
        #expect(session.settledThrough == 0)
        let rejection = Rejection(seq: 2, code: "payload-not-json", message: "no")
        #expect(session.takeEvents() == [.rejected(rejection)])
        #expect(session.hasRoom)
        try ServerFrames.feed(ServerFrames.ack(3, matched: 0), to: &session)
        #expect(session.statistics.accepted == 2)
        #expect(session.statistics.rejected == 1)
        #expect(session.settledThrough == 3)
    }

    @Test("Pushes that are all rejected leave nothing unsettled and an open window")
    func allRejected() throws {
        var session = try established(window: 2)
        for seq in UInt64(1)...9 {
            #expect(try push("[]", to: &session) == seq)
            _ = try ServerFrames.output(&session)
            try ServerFrames.feed(ServerFrames.reject(seq), to: &session)
        }
        #expect(session.settledThrough == 9)
        #expect(session.statistics.rejected == 9)
    }

    @Test("After a reconnect, what is above lastSeq and was not rejected is sent again")
    func resume() throws {
        var session = try established()
        for number in 1...5 { _ = try push("{\"n\":\(number)}", to: &session) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.reject(4), to: &session)
        session.disconnected()
        #expect(try push("{\"n\":6}", to: &session) == 6)
        #expect(try ServerFrames.output(&session).isEmpty)
        session.connected()
        #expect(try ServerFrames.output(&session).map(\.type) == [.hello])
        try ServerFrames.feed(ServerFrames.welcome(lastSeq: 2), to: &session)
        let again = try ServerFrames.output(&session)
        #expect(again.map(\.seq) == [3, 5, 6])
        #expect(again.map(\.body) == ["{\"n\":3}", "{\"n\":5}", "{\"n\":6}"])
        #expect(session.statistics.accepted == 2)
        #expect(session.statistics.sessions == 2)
        try ServerFrames.feed(ServerFrames.ack(6, matched: 2), to: &session)
        #expect(session.statistics.accepted == 5)
        #expect(session.settledThrough == 6)
    }

    @Test("A router that has forgotten everything gets what it had not acknowledged")
    func restartedRouter() throws {
        var session = try established()
        for _ in 0..<3 { _ = try push("{}", to: &session) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(1, matched: 0), to: &session)
        session.disconnected()
        session.connected()
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.welcome(window: 1, lastSeq: 0), to: &session)
        #expect(try ServerFrames.output(&session).map(\.seq) == [2], "the new window is 1")
        try ServerFrames.feed(ServerFrames.ack(2, matched: 0), to: &session)
        #expect(try ServerFrames.output(&session).map(\.seq) == [3])
    }

    @Test("After a reconnect, a push that was rejected before is passed over")
    func rejectedBeforeReconnect() throws {
        var session = try established()
        for _ in 0..<2 { _ = try push("[]", to: &session) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.reject(2), to: &session)
        session.disconnected()
        session.connected()
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.welcome(window: 1, lastSeq: 0), to: &session)
        #expect(try ServerFrames.output(&session).map(\.seq) == [1], "the new window is 1")
        try ServerFrames.feed(ServerFrames.reject(1), to: &session)
        #expect(session.settledThrough == 2)
        #expect(try push("{}", to: &session) == 3)
        #expect(try ServerFrames.output(&session).map(\.seq) == [3])
    }

    @Test("Output is taken in parts, in order")
    func parts() throws {
        var session = try established()
        for _ in 0..<4 { _ = try push("{}", to: &session) }
        #expect(try ServerFrames.output(&session, limit: 19).map(\.seq) == [1, 2])
        #expect(try ServerFrames.output(&session, limit: 1).map(\.seq) == [3])
        #expect(try ServerFrames.output(&session).map(\.seq) == [4])
    }

    @Test("An urgent push that expires carries both flags and its date")
    func flags() throws {
        var session = try established()
        _ = try session.push(Array("{}".utf8), urgent: true, expiresAt: 0x0102)
        let sent = try ServerFrames.output(&session)
        #expect(sent[0].flags == 3)
        #expect(Array(sent[0].body.utf8) == [0, 0, 0, 0, 0, 0, 1, 2, 0x7b, 0x7d])
    }

    @Test("A payload longer than the router takes is refused at once")
    func tooLong() throws {
        var session = try established()
        #expect(throws: ClientError.tooLong(byteCount: 1_001, limit: 1_000)) {
            try session.push([UInt8](repeating: 0x20, count: 1_001))
        }
        #expect(session.statistics.sent == 0)
    }

    @Test("After GOAWAY no push goes out, but answers count")
    func goaway() throws {
        var session = try established()
        _ = try push("{}", to: &session)
        _ = try ServerFrames.output(&session)
        _ = try push("{}", to: &session)
        try ServerFrames.feed(
            ServerFrames.frame(.goaway, 0, #"{"reason":"drain"}"#),
            to: &session
        )
        #expect(try ServerFrames.output(&session).isEmpty)
        try ServerFrames.feed(ServerFrames.ack(1, matched: 0), to: &session)
        #expect(session.settledThrough == 1)
    }

    @Test("A PING is answered with its number before anything else")
    func ping() throws {
        var session = try established()
        _ = try push("{}", to: &session)
        try ServerFrames.feed(ServerFrames.frame(.ping, 77), to: &session)
        let sent = try ServerFrames.output(&session)
        #expect(sent.map(\.type) == [.pong, .push])
        #expect(sent[0].seq == 77)
    }

    @Test("An ERROR ends the session with its code, and says whether another attempt may succeed")
    func errors() throws {
        let cases: [(code: String, advice: String?, retry: Retry)] = [
            ("token-invalid", nil, .no), ("ping-timeout", nil, .reconnect),
            ("session-replaced", nil, .no), ("too-many-connections", nil, .later),
            ("of-tomorrow", nil, .no), ("of-tomorrow", "later", .later),
            ("of-tomorrow", "reconnect", .reconnect), ("of-tomorrow", "perhaps", .no),
            ("token-invalid", "later", .later),
        ]
        for (code, advice, retry) in cases {
            var session = try established()
            let error = ClientError.refused(code: code, retry: retry, message: "no")
            #expect(throws: error) {
                try ServerFrames.feed(ServerFrames.error(code, retry: advice), to: &session)
            }
            #expect(error.isTemporary == (retry != .no))
            #expect(error.wantsLongPause == (retry == .later))
        }
        #expect(ClientError.unreachable("").isTemporary)
    }

    @Test("A rejection that was lost with the connection is reported after the next WELCOME")
    func lostRejections() throws {
        var session = try established(lastSeq: 10)
        for _ in 11...16 { _ = try push("{}", to: &session) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.reject(11), to: &session)
        _ = session.takeEvents()
        session.disconnected()
        session.connected()
        let hello = try ServerFrames.output(&session)
        #expect(hello.count == 1 && hello[0].body.hasSuffix(#","acked":11}"#), "\(hello)")
        try ServerFrames.feed(
            ServerFrames.welcome(
                lastSeq: 14,
                rejected: [
                    .init(seq: 11, code: "payload-not-json"),
                    .init(seq: 13, code: "payload-not-object"),
                    .init(seq: 15, code: "of-tomorrow"), .init(seq: 99, code: "payload-not-json"),
                ]
            ),
            to: &session
        )
        let rejections = session.takeEvents().compactMap { event in
            if case .rejected(let rejection) = event { rejection } else { nil }
        }
        #expect(rejections.map(\.seq) == [13, 15])
        #expect(rejections.map(\.code) == ["payload-not-object", "of-tomorrow"])
        // 12 and 14 were accepted; only 16 is sent again.
        #expect(session.statistics.rejected == 3 && session.statistics.accepted == 2)
        #expect(try ServerFrames.output(&session).map(\.seq) == [16])
        try ServerFrames.feed(ServerFrames.ack(16, matched: 0), to: &session)
        #expect(session.settledThrough == 16 && session.statistics.accepted == 3)
    }

    @Test("A rejection says whether the same push may be accepted later")
    func rejectionAdvice() throws {
        var session = try established()
        for _ in 1...2 { _ = try push("{}", to: &session) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.reject(1), to: &session)
        try ServerFrames.feed(ServerFrames.reject(2, "of-tomorrow", retry: "later"), to: &session)
        let advices = session.takeEvents().compactMap { event in
            if case .rejected(let rejection) = event { rejection.retry } else { nil }
        }
        #expect(advices == [.no, .later])
    }

    @Test("Frames of a newer router that a client need not know are passed over, in any pieces")
    func unknownFrames() throws {
        var bytes = ServerFrames.welcome(lastSeq: 0)
        for type in [0x40, 0x5a, 0x7d, 0x80, 0xff] as [UInt8] {
            var frame = encodeFrame(.ping, flags: 0, seq: 9, body: [0xff, 0x00])
            // Whatever the flags and reserved bytes will mean, they do not matter here.
            (frame[4], frame[5], frame[6]) = (type, 0xff, 0xff)
            bytes += frame
        }
        bytes += ServerFrames.frame(.ping, 7)
        for cut in 0...bytes.count {
            var session = makeSession()
            session.connected()
            _ = try ServerFrames.output(&session)
            let used = try ServerFrames.feed(Array(bytes[..<cut]), to: &session)
            #expect(used <= cut)
            try ServerFrames.feed(Array(bytes[used...]), to: &session)
            #expect(try ServerFrames.output(&session) == [.init(type: .pong, seq: 7)])
        }
        for type in [0x05, 0x14, 0x3f] as [UInt8] {
            var session = try established()
            var frame = ServerFrames.frame(.ping, 1)
            frame[4] = type
            #expect(throws: ClientError.self) { try ServerFrames.feed(frame, to: &session) }
        }
        var session = try established()
        #expect(throws: ClientError.self, "a length below that of a header") {
            try ServerFrames.feed([0, 0, 0, 11, 0x40], to: &session)
        }
    }

    @Test("A peer that breaks the protocol is distinguished from one that refuses")
    func brokenPeers() throws {
        let frames: [[UInt8]] = [
            ServerFrames.ack(1), ServerFrames.reject(1), ServerFrames.welcome(lastSeq: 0),
            ServerFrames.frame(.push, 1, "{}"),
            ServerFrames.frame(.reload, 1, #"{"device":"d","kinds":[],"widgets":[],"cause":"x"}"#),
            ServerFrames.frame(.reject, 1, "{"), Array("HTTP/1.1 400 Bad".utf8),
        ]
        for bytes in frames {
            var session = try established()
            do throws(ClientError) {
                try ServerFrames.feed(bytes, to: &session)
                Issue.record("\(bytes) was taken")
            } catch {
                guard case .protocolBroken = error else {
                    Issue.record("\(bytes) led to \(error)")
                    continue
                }
            }
        }
    }

    @Test("Frames may be cut anywhere: the rest is left for the next read")
    func cuts() throws {
        let bytes = ServerFrames.ack(1, matched: 1) + ServerFrames.ack(2, matched: 1)
        for cut in 0...bytes.count {
            var session = try established()
            for _ in 0..<2 { _ = try push("{}", to: &session) }
            _ = try ServerFrames.output(&session)
            let used = try ServerFrames.feed(Array(bytes[..<cut]), to: &session)
            try ServerFrames.feed(Array(bytes[used...]), to: &session)
            #expect(session.statistics.matched == 2, "cut at \(cut)")
        }
    }

    @Test("Whatever is acknowledged, rejected and lost, each push is settled once, in order")
    func randomHistory() throws {
        for seed in UInt64(1)...50 {
            var random = SeededGenerator(seed: seed)
            var session = try established(window: 4)
            var router = RouterModel()
            while router.taken < 200 || session.settledThrough < session.lastSeq {
                if router.taken < 200, session.hasRoom { _ = try push("{}", to: &session) }
                router.taken = Int(session.lastSeq)
                if random.next() % 8 == 0 {
                    session.disconnected()
                    session.connected()
                    try ServerFrames.feed(
                        ServerFrames.welcome(window: 4, lastSeq: router.lastSeq),
                        to: &session
                    )
                }
                let answers = router.answers(
                    to: try ServerFrames.output(&session),
                    losing: random.next() % 4 == 0
                )
                try ServerFrames.feed(answers, to: &session)
            }
            let statistics = session.statistics
            #expect(
                statistics.accepted + statistics.rejected == statistics.sent,
                "seed \(seed)"
            )
            #expect(router.accepted.count == Set(router.accepted).count, "seed \(seed)")
            #expect(session.settledThrough == 200, "seed \(seed)")
        }
    }
}

/// As much of a router as publishers can tell: every seventh push is rejected.
private struct RouterModel {
    var taken = 0
    var lastSeq: UInt64 = 0
    var accepted: [UInt64] = []

    mutating func answers(to frames: [ServerFrames.Sent], losing: Bool) -> [UInt8] {
        var answers: [UInt8] = []
        var last: UInt64 = 0
        for frame in frames where frame.type == .push {
            if frame.seq % 7 == 0 {
                answers += ServerFrames.reject(frame.seq)
                continue
            }
            if frame.seq > lastSeq {
                accepted.append(frame.seq)
                lastSeq = frame.seq
            }
            last = frame.seq
        }
        if last > 0 { answers += ServerFrames.ack(last, matched: 0) }
        return losing ? [] : answers
    }
}
