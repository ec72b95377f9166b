import Basics
import FrameCodec
import RouterCore
import Testing

@Suite("The router, when a session begins and ends")
struct RouterSessionTests {
    @Test("welcomes every role, and names to a publisher its last accepted push")
    func welcome() {
        let harness = RouterHarness()
        for (role, name) in [(Peer.publisher, "p"), (.device, "d"), (.gateway, nil)] {
            let slot = harness.open()
            harness.hello(slot, role, name)
            guard case .welcome(slot, let body)? = harness.step().first else {
                Issue.record("no WELCOME for a \(role)")
                continue
            }
            #expect(body.contains(#""maxBody":65536,"window":8192"#))
            #expect(body.contains(#""lastSeq":0"#) == (role == .publisher))
            let prefix = #"{"v":1,"session":""#
            #expect(body.hasPrefix(prefix))
            let session = body.dropFirst(prefix.count).prefix { $0 != "\"" }
            #expect(session.count == 32 && session.allSatisfy(\.isHexDigit))
        }
    }

    @Test(
        "ends a connection whose HELLO is wrong, with its error and nothing else",
        arguments: [
            (.publisher, "p", "chess", nil, .appUnknown),
            (.device, "", "game", nil, .identifierInvalid),
        ] as [(Peer, String?, String, String?, ErrorCode)]
    )
    func badHello(role: Peer, name: String?, app: String, token: String?, code: ErrorCode) {
        let harness = RouterHarness()
        let slot = harness.open()
        harness.hello(slot, role, name, app: app, token: token)
        expectFailure(harness.step(), slot, code)
        // What comes after the error is not looked at.
        harness.hello(slot, .publisher, "p")
        #expect(harness.step() == [])
    }

    @Test(
        "ends a connection whose bytes or frames are wrong, with the error of each",
        arguments: [
            ([0, 0, 0, 11], .frameLength),
            (encodeFrame(.push, seq: 1), .helloExpected),
            (encodeFrame(.ping, seq: 1), .helloExpected),
            (encodeFrame(.hello, seq: 1), .helloInvalid),
            (encodeFrame(.hello, seq: 0), .payloadNotJSON),
            (encodeFrame(.hello, seq: 0, body: [0x5b, 0x5d]), .payloadNotObject),
            (encodeFrame(.hello, seq: 0, body: [0x22, 0xff, 0x22]), .payloadNotUTF8),
            (encodeFrame(.hello, seq: 0, body: Array("{}".utf8)), .helloInvalid),
            (encodeFrame(.hello, seq: 0, body: Array(#"{"v":9}"#.utf8)), .versionUnsupported),
        ] as [([UInt8], ErrorCode)]
    )
    func badFirstBytes(bytes: [UInt8], code: ErrorCode) {
        let harness = RouterHarness()
        let slot = harness.open()
        let taken = harness.send(slot, bytes)
        #expect(taken == bytes.count)
        expectFailure(harness.step(), slot, code)
    }

    @Test("leaves the beginning of a frame to be given again")
    func partialFrame() {
        let harness = RouterHarness()
        let slot = harness.connect(.publisher, "p")
        let frame = encodeFrame(.ping, seq: 7)
        let taken = harness.send(slot, frame + frame.prefix(15))
        #expect(taken == 16)
        #expect(harness.step() == [.pong(slot, seq: 7)])
    }

    @Test("refuses a second HELLO and frames that are not the role's")
    func unexpected() {
        for type in [FrameType.hello, .welcome, .widgets, .reload, .error, .goaway, .ack] {
            let harness = RouterHarness()
            let slot = harness.connect(.publisher, "p")
            harness.send(slot, encodeFrame(type, seq: 1))
            expectFailure(harness.step(), slot, .frameUnexpected)
        }
    }

    @Test("acknowledges what it has accepted before the error that ends the session")
    func acknowledgesBeforeFailing() {
        let harness = RouterHarness()
        let slot = harness.connect(.publisher, "p")
        harness.send(
            slot,
            harness.pushFrame(1, "{}") + harness.pushFrame(2, "{}") + [0, 0, 0, 0]
        )
        let sent = harness.step()
        #expect(sent.first == .ack(slot, seq: 2, matched: 0))
        expectFailure(Array(sent.dropFirst()), slot, .frameLength)
    }

    @Test("lets the newer of two sessions of one producer win, and continue where the older was")
    func producerReplaced() {
        let harness = RouterHarness()
        let old = harness.connect(.publisher, "p")
        harness.push(old, 5, "{}")
        let new = harness.open()
        harness.hello(new, .publisher, "p")
        let sent = harness.step()
        #expect(sent.first == .ack(old, seq: 5, matched: 0))
        #expect(sent.contains { isFailure($0, old, .sessionReplaced) })
        let isReported = sent.contains {
            if case .welcome(new, let body) = $0 { body.contains(#""lastSeq":5"#) } else { false }
        }
        #expect(isReported)
        harness.push(old, 6, "{}")
        harness.push(new, 6, "{}")
        #expect(harness.step() == [.ack(new, seq: 6, matched: 0)])
    }

    @Test("keeps producers of the same name in two apps apart")
    func producersOfApps() {
        let harness = RouterHarness()
        let one = harness.connect(.publisher, "p")
        _ = harness.connect(.publisher, "p", app: "news", token: "pub")
        harness.push(one, 1, "{}")
        #expect(harness.step() == [.ack(one, seq: 1, matched: 0)])
    }

    @Test("lets the newer of two sessions of one device win")
    func deviceReplaced() {
        let harness = RouterHarness()
        let old = harness.connect(.device, "d")
        harness.widgets(old, "d", [.character("w", "kit")])
        _ = harness.step()
        let new = harness.open()
        harness.hello(new, .device, "d")
        #expect(harness.step().contains { isFailure($0, old, .sessionReplaced) })
        let publisher = harness.connect(.publisher, "p")
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.reloads().map(\.slot) == [new])
    }

    @Test("lets the newer of two sessions win also for a device that has no widgets yet")
    func deviceWithoutWidgetsReplaced() {
        let harness = RouterHarness()
        let old = harness.connect(.device, "d")
        let new = harness.open()
        harness.hello(new, .device, "d")
        #expect(harness.step().contains { isFailure($0, old, .sessionReplaced) })
    }

    @Test("lets no gateway speak for a device that has a session, until that has ended")
    func ownSession() {
        let harness = RouterHarness()
        let device = harness.connect(.device, "d")
        let gateway = harness.connect(.gateway)
        // Also before the device is stored.
        var refused = harness.widgets(gateway, "d", [.character("w", "kit")])
        #expect(harness.step().contains { isReject($0, gateway, refused, .deviceAttached) })
        harness.widgets(device, "d", [.character("w", "kit")])
        _ = harness.step()
        for body in [
            #"{"device":"d"}"#, #"{"device":"d","widget":"w","entries":[],"policy":"never"}"#,
        ] {
            let type = body.contains("widget") ? FrameType.timeline : .request
            refused = harness.device(gateway, type, body)
            let sent = harness.step()
            #expect(sent.count == 1 && isReject(sent[0], gateway, refused, .deviceAttached))
        }
        harness.close(device)
        harness.request(gateway, "d")
        #expect(harness.reloads().map(\.slot) == [gateway])
    }

    @Test("attaches the devices of an ATTACH as far as it may, and sends what they are owed")
    func attach() {
        let harness = RouterHarness()
        let former = harness.connect(.gateway)
        for name in ["a", "b", "c"] {
            harness.widgets(former, name, [.character("w", name == "b" ? "spouty" : "kit")])
        }
        let publisher = harness.connect(.publisher, "p")
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.reloads().count == 2)
        let own = harness.connect(.device, "c")
        _ = harness.step()
        let gateway = harness.connect(.gateway)
        var seq = harness.device(gateway, .attach, #"{"devices":["a","b","x","c","a"]}"#)
        let sent = harness.step()
        let answer = #"{"attached":3,"unknown":["x"],"own":["c"]}"#
        let own1 = sent.filter { $0.slot == gateway }
        #expect(own1.contains(.attached(gateway, seq: seq, answer)), "\(sent)")
        // The answer comes before the ACK, and what was not answered is sent again.
        #expect(own1.last == .ack(gateway, seq: seq, matched: nil))
        #expect(own1.compactMap { isReload($0)?.device } == ["a"])
        let lost = sent.compactMap { frame in
            if case .detached(former, let body) = frame { body } else { nil }
        }
        #expect(lost.count == 2, "a and b: \(lost)")
        seq = harness.device(gateway, .attach, #"{"devices":["a"]}"#)
        #expect(
            harness.step() == [
                .attached(gateway, seq: seq, #"{"attached":1}"#),
                .ack(gateway, seq: seq, matched: nil),
            ],
            "it speaks for the device already"
        )
        harness.close(own)
    }

    @Test("refuses an ATTACH as a whole, and has attached nothing then")
    func refusedAttach() {
        let harness = RouterHarness()
        let former = harness.connect(.gateway)
        harness.widgets(former, "a", [.character("w", "kit")])
        _ = harness.step()
        let gateway = harness.connect(.gateway)
        let many = (0...RouterLimits.devicesPerAttach).map { #""d\#($0)""# }.joined(separator: ",")
        for (body, code) in [
            (#"{}"#, .bodyInvalid), (#"{"devices":"a"}"#, .bodyInvalid),
            (#"{"devices":["a",1]}"#, .bodyInvalid), (#"{"devices":["a",""]}"#, .identifierInvalid),
            (#"{"devices":["a"#, .payloadNotJSON), (#"{"devices":["a",\#(many)]}"#, .bodyInvalid),
        ] as [(String, ErrorCode)] {
            let seq = harness.device(gateway, .attach, body)
            let sent = harness.step()
            #expect(sent.count == 1 && isReject(sent[0], gateway, seq, code), "\(sent)")
        }
        let device = harness.connect(.device, "d")
        harness.device(device, .attach, #"{"devices":["a"]}"#)
        expectFailure(harness.step(), device, .frameUnexpected)
    }

    @Test("informs a gateway that loses a device, and no other")
    func detached() {
        let harness = RouterHarness()
        let gateways = (0..<3).map { _ in harness.connect(.gateway) }
        for name in ["a", "b"] { harness.widgets(gateways[0], name, [.character("w", "kit")]) }
        _ = harness.step()
        func detached(_ sent: [SentFrame]) -> [SentFrame] {
            sent.filter { if case .detached = $0 { true } else { false } }
        }
        harness.request(gateways[1], "a")
        harness.request(gateways[1], "a")
        #expect(
            detached(harness.step())
                == [.detached(gateways[0], #"{"device":"a","reason":"gateway"}"#)]
        )
        let device = harness.open()
        harness.hello(device, .device, "a")
        #expect(
            detached(harness.step())
                == [.detached(gateways[1], #"{"device":"a","reason":"session"}"#)]
        )
        harness.close(device)
        harness.request(gateways[1], "a")
        #expect(detached(harness.step()).isEmpty, "the device's session had ended")
        harness.widgets(gateways[2], "b", [])
        #expect(
            detached(harness.step())
                == [.detached(gateways[0], #"{"device":"b","reason":"removed"}"#)]
        )
        harness.widgets(gateways[1], "a", [])
        #expect(detached(harness.step()).isEmpty, "it has removed the device itself")
    }

    @Test("sends nothing to a session after its ERROR")
    func silentAfterError() {
        let harness = RouterHarness()
        let device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit")])
        _ = harness.step()
        harness.send(device, [0, 0, 0, 0])
        expectFailure(harness.step(), device, .frameLength)
        let publisher = harness.connect(.publisher, "p")
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.step() == [.ack(publisher, seq: 1, matched: 1)])
        harness.advance(60_000)
        #expect(harness.sweep().allSatisfy { $0.slot != device })
        harness.router.drain()
        #expect(harness.take().allSatisfy { $0.slot != device })
        // The RELOAD was not lost: the next session gets it.
        harness.close(device)
        let next = harness.connect(.device, "d")
        #expect(harness.reloads().map(\.slot) == [next])
    }

    @Test("refuses a producer too many, and no producer that is known")
    func tooManyProducers() {
        let harness = RouterHarness {
            $0.producers = 2
            $0.producersPerApp = 2
        }
        let first = harness.connect(.publisher, "a")
        _ = harness.connect(.publisher, "b")
        let third = harness.open()
        harness.hello(third, .publisher, "c")
        expectFailure(harness.step(), third, .quotaExceeded)
        harness.close(first)
        _ = harness.connect(.publisher, "a")
    }

    @Test("sends GOAWAY to every session, and to no other connection")
    func drain() {
        let harness = RouterHarness()
        let publisher = harness.connect(.publisher, "p")
        let device = harness.connect(.device, "d")
        _ = harness.open()
        harness.router.drain()
        #expect(
            harness.take() == [
                .goaway(publisher, #"{"reason":"drain"}"#), .goaway(device, #"{"reason":"drain"}"#),
            ]
        )
    }
}
