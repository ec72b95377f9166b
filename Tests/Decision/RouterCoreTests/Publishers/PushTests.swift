import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

@Suite("The router, given pushes")
struct PushTests {
    let harness = RouterHarness()
    let publisher: ConnectionSlot
    let gateway: ConnectionSlot

    init() {
        publisher = harness.connect(.publisher, "p")
        gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d1", [.character("w1", "kit"), .character("w2", "spouty")])
        harness.widgets(
            gateway,
            "d2",
            [
                .character("w1", "kit"), .init("w2", "log", #"{"character":["nim","kit"]}"#),
                .init("w3", "dragon"), .init("w4", "static"),
            ]
        )
        #expect(harness.step() == [.ack(gateway, seq: 2, matched: nil)])
    }

    @Test("reloads only the matching widgets of the matching devices, each device once")
    func onlyMatching() {
        harness.push(publisher, 1, #"{"character":"kit","event":"potion"}"#)
        let sent = harness.step()
        let reloads = sent.compactMap { isReload($0) }
        #expect(reloads.count == 2 && sent.count == 3)
        let first = reloads.first { $0.device == "d1" }
        #expect(first?.widgets == ["w1"] && first?.kinds == ["detail"])
        let second = reloads.first { $0.device == "d2" }
        #expect(second.map { Set($0.widgets) } == ["w1", "w2"])
        #expect(second.map { Set($0.kinds) } == ["detail", "log"])
        #expect(second?.widgets.count == 2 && second?.kinds.count == 2)
        #expect(reloads.allSatisfy { $0.cause == "push" && $0.slot == gateway })
        #expect(sent.last == .ack(publisher, seq: 1, matched: 3))
    }

    @Test("names a kind once, however many of its widgets match")
    func kindsAreDistinct() {
        harness.widgets(gateway, "d1", (0..<9).map { .character("w\($0)", "kit") })
        _ = harness.step()
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        let reload = harness.reloads().first { $0.device == "d1" }
        #expect(reload?.kinds == ["detail"])
        #expect(reload?.widgets.sorted() == (0..<9).map { "w\($0)" })
    }

    @Test(
        "reloads nothing for a push that matches nothing",
        arguments: [
            "{}", #"{"character":"panda"}"#, #"{"character":1}"#, #"{"Character":"kit"}"#,
            #"{"x":{"character":"kit"}}"#, #"@ {"character":"kit"}"#,
            #"@static2 {"character":"kit"}"#, #"@log {"character":"spouty"}"#,
            #"{"kinds":["static"]}"#,
        ]
    )
    func noMatch(payload: String) {
        harness.push(publisher, 1, payload)
        #expect(harness.step() == [.ack(publisher, seq: 1, matched: 0)])
    }

    @Test("reaches a kind by its name, and narrows by names")
    func byName() {
        harness.push(publisher, 1, "@static {}")
        #expect(harness.reloads().map(\.widgets) == [["w4"]])
        harness.push(publisher, 2, #"@log {"character":"kit"}"#)
        #expect(harness.reloads().map(\.widgets) == [["w2"]])
        harness.push(publisher, 3, #"{"event":"dragon"}"#)
        #expect(harness.reloads().map(\.kinds) == [["dragon"]])
    }

    @Test("does not look at other apps' widgets")
    func apps() {
        let other = harness.connect(.publisher, "p", app: "news", token: "pub")
        harness.push(other, 1, #"{"character":"kit"}"#)
        #expect(harness.step() == [.ack(other, seq: 1, matched: 0)])
    }

    @Test("coalesces the pushes of one turn into one RELOAD for a device")
    func coalesces() {
        var bytes: [UInt8] = []
        for seq in 1...100 as ClosedRange<UInt64> {
            bytes += harness.pushFrame(seq, #"{"character":"\#(seq % 2 == 0 ? "kit" : "spouty")"}"#)
        }
        harness.send(publisher, bytes)
        let sent = harness.step()
        let reloads = sent.compactMap { isReload($0) }
        #expect(reloads.map(\.device).sorted() == ["d1", "d2"])
        #expect(reloads.first { $0.device == "d1" }.map { Set($0.widgets) } == ["w1", "w2"])
        #expect(sent.last == .ack(publisher, seq: 100, matched: 50 * 3 + 50))
    }

    @Test("acknowledges a push that it has had, and does nothing more")
    func duplicates() {
        harness.push(publisher, 4, #"{"character":"kit"}"#)
        #expect(harness.reloads().count == 2)
        harness.close(publisher)
        let again = harness.connect(.publisher, "p", slot: publisher)
        harness.push(again, 3, #"{"character":"kit"}"#)
        harness.push(again, 4, #"{"character":"kit"}"#)
        #expect(harness.step() == [.ack(again, seq: 4, matched: 0)])
        harness.push(again, 5, #"{"character":"kit"}"#)
        #expect(harness.reloads().count == 2)
        harness.push(again, 2, #"{"character":"kit"}"#)
        #expect(harness.step() == [.ack(again, seq: 5, matched: 0)])
    }

    @Test("ends a session with a push that does not rise above its others, and accepts the rest")
    func notRising() {
        harness.push(publisher, 5, #"{"character":"kit"}"#)
        harness.push(publisher, 4, #"{"character":"kit"}"#)
        let sent = harness.step()
        #expect(sent.compactMap { isReload($0) }.count == 2)
        #expect(sent.contains(.ack(publisher, seq: 5, matched: 3)))
        #expect(sent.contains { isFailure($0, publisher, .seqNotRising) }, "\(sent)")
        let again = harness.connect(.publisher, "p")
        for seq in [4, 5] as [UInt64] { harness.push(again, seq, #"{"character":"kit"}"#) }
        #expect(harness.step() == [.ack(again, seq: 5, matched: 0)])
    }

    @Test(
        "refuses a broken push, lives on, and says so before the ACK that passes it",
        arguments: [
            ("", .payloadNotJSON), ("{", .payloadNotJSON), ("[]", .payloadNotObject),
            (#"{"a":1,"a":1}"#, .payloadDuplicateKey), (#"{"a":-1e999}"#, .payloadNumberRange),
            (
                String(repeating: #"{"a":"#, count: 33) + "1" + String(repeating: "}", count: 33),
                .payloadTooDeep
            ),
            ("", .payloadKinds), ("{}", .payloadKinds), ("\0\u{1}\0{}", .payloadKinds),
            ("\0\u{2}\u{3}a{}", .payloadKinds),
        ] as [(String, ErrorCode)]
    )
    func rejects(payload: String, code: ErrorCode) {
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        let flags = code == .payloadKinds ? PushFlags.kinds : 0
        harness.push(publisher, 2, payload, flags: flags)
        harness.push(publisher, 3, #"{"character":"spouty"}"#)
        let sent = harness.step()
        let rejected = sent.firstIndex { isReject($0, publisher, 2, code) }
        let acknowledged = sent.firstIndex(of: .ack(publisher, seq: 3, matched: 4))
        #expect(rejected != nil && acknowledged != nil && rejected! < acknowledged!, "\(sent)")
        #expect(sent.compactMap { isReload($0) }.count == 2)
    }

    @Test("refuses a push that is not UTF-8")
    func notUTF8() {
        harness.send(
            publisher,
            encodeFrame(.push, seq: 1, body: Array(#"{"a":""#.utf8) + [0xff] + Array(#""}"#.utf8))
        )
        let sent = harness.step()
        #expect(sent.count == 1 && isReject(sent[0], publisher, 1, .payloadNotUTF8))
    }

    @Test("does not raise the producer's last number for a push that it has refused")
    func rejectedIsNotAccepted() {
        harness.push(publisher, 1, "{}")
        harness.push(publisher, 2, "[]")
        _ = harness.step()
        harness.close(publisher)
        let again = harness.open(publisher)
        harness.hello(again, .publisher, "p")
        let isReported = harness.step().contains {
            if case .welcome(again, let body) = $0 { body.contains(#""lastSeq":1"#) } else { false }
        }
        #expect(isReported)
    }

    @Test("does not count refused pushes as unacknowledged: each has had its answer")
    func rejectedAndWindow() {
        let harness = RouterHarness { $0.window = 4 }
        let publisher = harness.connect(.publisher, "p")
        for seq in 1...20 as ClosedRange<UInt64> {
            harness.push(publisher, seq, "[]")
            let sent = harness.step()
            let isAnswered = sent.count == 1 && isReject(sent[0], publisher, seq, .payloadNotObject)
            #expect(isAnswered, "push \(seq): \(sent)")
        }
        harness.push(publisher, 21, "{}")
        #expect(harness.step() == [.ack(publisher, seq: 21, matched: 0)])
    }

    @Test("ends a publisher that sends more than the window in one tick")
    func windowExceeded() {
        let harness = RouterHarness { $0.window = 4 }
        let publisher = harness.connect(.publisher, "p")
        for seq in 1...4 as ClosedRange<UInt64> { harness.push(publisher, seq, "{}") }
        #expect(harness.step() == [.ack(publisher, seq: 4, matched: 0)])
        for seq in 5...9 as ClosedRange<UInt64> { harness.push(publisher, seq, "{}") }
        let sent = harness.step()
        #expect(sent.first == .ack(publisher, seq: 8, matched: 0))
        expectFailure(Array(sent.dropFirst()), publisher, .windowExceeded)
    }

    @Test("ends a publisher whose push has seq 0")
    func pushZero() {
        harness.push(publisher, 0, "{}")
        expectFailure(harness.step(), publisher, .seqNotRising)
    }

    // MARK: - Flags

    @Test("accepts a push that has expired on arrival, judges it, and reloads nothing")
    func expiredOnArrival() {
        let wall = UInt64(harness.now.wall.rawValue)
        harness.push(publisher, 1, #"{"character":"kit"}"#, expiresAt: wall)
        harness.push(publisher, 2, #"[]"#, expiresAt: wall - 1)
        harness.push(publisher, 3, "{}", flags: PushFlags.kinds, expiresAt: wall)
        let sent = harness.step()
        #expect(sent.contains { isReject($0, publisher, 2, .payloadNotObject) })
        #expect(sent.contains { isReject($0, publisher, 3, .payloadKinds) })
        #expect(sent.last == .ack(publisher, seq: 1, matched: 0))
        #expect(sent.compactMap { isReload($0) } == [])
        harness.push(publisher, 4, #"{"character":"kit"}"#, expiresAt: wall + 1)
        #expect(harness.reloads().count == 2)
        let last = UInt64(WallTime.lastDate.rawValue)
        harness.push(publisher, 5, #"{"character":"kit"}"#, expiresAt: last)
        #expect(harness.reloads().count == 2)
    }

    @Test(
        "refuses an expiry in another unit by its name",
        arguments: [
            (0, "a length of time"), (1_700_000_060, "seconds since 1970"),
            (721_692_860, "seconds since 2001"), (1_700_000_060_000_000, "microseconds since 1970"),
            (721_692_860_000, "milliseconds since 2001"),
            (.max, "a date after the year 9999"),
        ] as [(UInt64, String)]
    )
    func expiryInAnotherUnit(date: UInt64, unit: String) {
        harness.push(publisher, 1, #"{"character":"kit"}"#, expiresAt: date)
        let sent = harness.step()
        guard case .reject(publisher, 1, .payloadExpiry, let message) = sent.first else {
            Issue.record("sent \(sent)")
            return
        }
        #expect(sent.count == 1 && message.contains("looks like \(unit)"), "\(message)")
    }

    @Test("refuses an expiry that is not there")
    func shortExpiry() {
        harness.push(publisher, 1, "1234567", flags: PushFlags.expires)
        let sent = harness.step()
        #expect(sent.count == 1 && isReject(sent[0], publisher, 1, .payloadExpiry))
    }

    @Test("drops a RELOAD whose causes have all expired when its device can take it")
    func expiredWhilePending() {
        harness.router.outputFilled(gateway)
        harness.push(
            publisher,
            1,
            #"{"character":"spouty"}"#,
            expiresAt: UInt64(harness.now.wall.rawValue + 1_000)
        )
        #expect(harness.reloads() == [])
        harness.advance(1_000)
        harness.router.outputDrained(gateway)
        #expect(harness.reloads() == [])
        #expect(harness.router.counters.reloadsExpired == 1)
        harness.push(publisher, 2, #"{"character":"spouty"}"#)
        #expect(harness.reloads().map(\.device) == ["d1"])
    }

    @Test(
        "keeps a RELOAD while one of its causes has not expired",
        arguments: [[true, false], [false, true]]
    )
    func partlyExpired(areExpired: [Bool]) {
        harness.router.outputFilled(gateway)
        for (index, isExpired) in areExpired.enumerated() {
            harness.push(
                publisher,
                UInt64(index + 1),
                #"{"character":"spouty"}"#,
                expiresAt: isExpired ? UInt64(harness.now.wall.rawValue + 1_000) : nil
            )
            #expect(harness.reloads() == [])
        }
        harness.advance(5_000)
        harness.router.outputDrained(gateway)
        #expect(harness.reloads().map(\.device) == ["d1"])
    }

    @Test("forgets the expiry of a RELOAD whose widget was removed before it was sent")
    func expiryOfRemovedWidget() {
        harness.push(publisher, 1, #"{"character":"spouty"}"#)
        harness.widgets(gateway, "d1", [.character("w1", "kit")])
        #expect(harness.reloads() == [])
        harness.router.outputFilled(gateway)
        harness.push(
            publisher,
            2,
            #"@detail {"character":"kit"}"#,
            expiresAt: UInt64(harness.now.wall.rawValue + 1_000)
        )
        #expect(harness.reloads() == [])
        harness.advance(1_000)
        harness.router.outputDrained(gateway)
        #expect(harness.reloads() == [], "the only cause is void")
    }

    @Test("sends urgent RELOADs first")
    func urgentFirst() {
        harness.push(publisher, 1, #"{"character":"spouty"}"#)
        harness.push(publisher, 2, "@static {}", flags: PushFlags.urgent)
        #expect(harness.reloads().map(\.device) == ["d2", "d1"])
        harness.push(publisher, 3, #"{"character":"spouty"}"#)
        harness.push(publisher, 4, "@static {}")
        #expect(harness.reloads().map(\.device) == ["d1", "d2"])
    }
}
