import Basics
import CaptureFormat
import FrameCodec
import RouterCore
import StoreFormat
import TestSupport
import Testing

@Suite("A recording of a router's inputs")
struct CaptureTests {
    @Test func `is off until it is begun, and keeps nothing`() throws {
        let harness = RouterHarness()
        let publisher = harness.connect(.publisher, "p")
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        _ = harness.step()
        #expect(try harness.captured().isEmpty)
    }

    @Test func `has what was accepted, in its order, and nothing that was refused`() throws {
        let harness = RouterHarness()
        let former = harness.connect(.publisher, "p")
        harness.push(former, 1, "{}")
        _ = harness.step()
        harness.close(former)
        harness.record(#"{"apps":[1]}"#)
        let publisher = harness.connect(.publisher, "p", slot: former)
        let device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit")])
        harness.widgets(device, "d", [.character("w", "kit"), TestWidget("x", "unknown")])
        harness.widgets(device, "other", [.character("w", "kit")])
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        harness.push(publisher, 2, #"{"character":"kit"}"#)
        harness.push(publisher, 3, #"{"character":}"#)
        harness.push(publisher, 4, "{}", flags: PushFlags.kinds)
        harness.push(
            publisher,
            5,
            #"{"event":"dragon"}"#,
            flags: PushFlags.urgent,
            expiresAt: 0x0160_0000_0007
        )
        harness.timeline(device, "d", "w")
        harness.timeline(device, "d", "none")
        harness.device(device, .state, #"{"device":"d","foreground":true}"#)
        harness.request(device, "d")
        harness.request(device, "d", kind: "none")
        _ = harness.step()
        harness.close(device)

        let inputs = try harness.captured()
        let expiry = "\0\0\u{1}\u{60}\0\0\0\u{7}"
        #expect(
            inputs.map(\.summary) == [
                #"0 apps 0 {"apps":[1]}"#,
                #"1 hello 0 {"v":1,"role":"publisher","app":"game","producer":"p"}"#,
                #"2 hello 0 {"v":1,"role":"device","app":"game","device":"d"}"#,
                #"2 widgets 1 {"device":"d","widgets":[\#(TestWidget.character("w", "kit").json)]}"#,
                #"1 push 2 {"character":"kit"}"#,
                #"1 push 5 \#(expiry){"event":"dragon"}"#,
                #"2 timeline 4 {"device":"d","widget":"w","entries":[],"policy":"never"}"#,
                #"2 state 6 {"device":"d","foreground":true}"#,
                #"2 request 7 {"device":"d"}"#,
                "2 ended 0 ",
            ]
        )
        #expect(inputs.map(\.flags) == [0, 0, 0, 0, 0, 3, 0, 0, 0, 0])
    }

    @Test func `has no token, no question for outcomes, and no session that was refused`() throws {
        let harness = RouterHarness()
        harness.record()
        _ = harness.connect(.publisher, "p", app: "news", token: "pub2", wantsOutcomes: true)
        let slot = harness.open()
        harness.hello(slot, .publisher, "q", app: "chess", token: "wrong")
        _ = harness.step()
        harness.close(slot)
        let inputs = try harness.captured().dropFirst()
        #expect(
            inputs.map(\.summary) == [
                #"1 hello 0 {"v":1,"role":"publisher","app":"news","producer":"p"}"#
            ]
        )
    }

    @Test func `says once that a session is over: replaced, failed or closed`() throws {
        let harness = RouterHarness()
        harness.record()
        let first = harness.connect(.publisher, "p")
        let second = harness.connect(.publisher, "p")
        harness.close(first)
        harness.send(second, encodeFrame(.reload, seq: 1))
        _ = harness.step()
        harness.close(second)
        let silent = harness.open()
        harness.close(silent)
        let kinds = try harness.captured().dropFirst().map { "\($0.connection) \($0.kind)" }
        #expect(kinds == ["1 hello", "2 hello", "1 ended", "2 ended"])
    }

    @Test func `has the time at which its driver says that inputs came`() throws {
        let harness = RouterHarness()
        harness.router.setArrival(5)
        harness.record()
        harness.router.setArrival(1_000_000)
        let publisher = harness.connect(.publisher, "p")
        harness.router.setArrival(1_000_017)
        harness.push(publisher, 1, "{}")
        #expect(try harness.captured().map(\.time) == [5, 1_000_000, 1_000_017])
        harness.push(publisher, 2, "{}")
        #expect(try harness.captured().map(\.time) == [1_000_017])
    }

    @Test func `has a new app file`() throws {
        let harness = RouterHarness()
        harness.record()
        harness.router.install(.game, source: Array(#"{"apps":[2]}"#.utf8))
        #expect(try harness.captured().map(\.body) == [#"{"apps":[]}"#, #"{"apps":[2]}"#])
    }

    // MARK: - What is lost

    @Test func `says how much is missing when it was not taken, however often`() throws {
        let harness = RouterHarness()
        harness.record()
        let publisher = harness.connect(.publisher, "p")
        harness.push(publisher, 1, "{}")
        var lost = harness.router.captureLost()
        #expect(lost == 3)
        harness.push(publisher, 2, "{}")
        harness.push(publisher, 3, "{}")
        lost = harness.router.captureLost()
        #expect(lost == 2)
        harness.push(publisher, 4, "{}")
        let inputs = try harness.captured()
        #expect(inputs.map(\.summary) == ["0 lost 0 \u{5}", "1 push 4 {}"])
        lost = harness.router.captureLost()
        #expect(lost == 0, "nothing was there")
    }

    // MARK: - What is stored

    @Test func `begins with what is stored, in portions that another router takes`() throws {
        let original = RouterHarness()
        let gateway = original.connect(.gateway)
        let values = [#""kit""#, "1.50", "[true,\"a\\\"\\\\\\u0007ß\"]", "\"\\u0000😀\"", "-0.1e-7"]
        for number in 0..<200 {
            let value = values[number % values.count]
            original.widgets(
                gateway,
                "d-\(number)",
                [
                    TestWidget("w", "detail", #"{"character":\#(value)}"#),
                    TestWidget("s", "static"),
                    TestWidget("log", "log", #"{"character":"c-\#(number)","x":2}"#),
                ]
            )
        }
        original.device(
            gateway,
            .widgets,
            #"{"device":"d-7","pushToken":"7f3a","widgets":[{"id":"s","kind":"static"}]}"#
        )
        _ = original.step()

        let stored = try reportStored(original, byteCount: 2_000)
        #expect(stored.portions > 10)
        #expect(stored.inputs.count { $0.kind == .widgets } == 200)
        #expect(stored.inputs.map(\.kind).first == .hello)
        #expect(stored.inputs.map(\.kind).last == .ended)
        #expect(stored.inputs.contains { $0.body.contains(#""pushToken":"7f3a""#) })

        let copy = RouterHarness()
        play(stored.inputs, copy)
        #expect(try reportStored(copy, byteCount: 1 << 20).inputs == stored.inputs)
    }

    @Test func `leaves out what is stored of kinds and apps that no file declares`() throws {
        let original = RouterHarness()
        let gateway = original.connect(.gateway)
        original.widgets(gateway, "a", [.character("w", "kit"), TestWidget("s", "static")])
        original.widgets(gateway, "b", [.character("w", "kit")])
        var game = AppCatalog.game.apps[0]
        game.kinds.removeAll { $0.kind == "detail" }
        original.router.install(AppCatalog(apps: [game]), source: [1])
        let bodies = try reportStored(original, byteCount: 1_000).inputs.map(\.body)
        let list = #"[{"id":"s","kind":"static","configuration":{}}]"#
        #expect(bodies.dropFirst() == [#"{"device":"a","widgets":\#(list)}"#, ""])
        original.router.install(AppCatalog(apps: []), source: [1])
        #expect(try reportStored(original, byteCount: 1_000).inputs.isEmpty)
    }

    private func reportStored(
        _ harness: RouterHarness,
        byteCount: Int
    ) throws -> (inputs: [CapturedInput], portions: Int) {
        harness.record()
        _ = try harness.captured()
        var devices = Router.StoredDeviceProgress()
        var inputs: [CapturedInput] = []
        var portions = 0
        var isAll = false
        while !isAll {
            isAll = harness.router.captureStored(&devices, byteCount: byteCount)
            inputs += try harness.captured()
            portions += 1
        }
        return (inputs, portions)
    }

    // MARK: - Another router

    /// Gives a router what was recorded.
    private func play(_ inputs: [CapturedInput], _ harness: RouterHarness) {
        for input in inputs {
            let slot = ConnectionSlot(rawValue: input.connection)
            switch input.kind {
            case .ended: harness.close(slot)
            case .hello:
                _ = harness.open(slot)
                harness.send(slot, input.frame!)
            case .apps, .lost: break
            default: harness.send(slot, input.frame!)
            }
            let sent = harness.step()
            for case .reject(_, _, let code, let message) in sent {
                Issue.record("\(input): \(code) \(message)")
            }
        }
    }

    @Test("brings another router to the same widgets and matches", arguments: 1...20 as ClosedRange)
    func brings(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let original = RouterHarness()
        original.record()
        let traffic = CaptureTraffic(original)
        for _ in 0..<300 { traffic.act(&random) }
        let inputs = try original.captured()
        #expect(inputs.count > 100, "seed \(seed)")
        #expect(traffic.refusedCount > 10, "seed \(seed)")

        let copy = RouterHarness()
        play(inputs, copy)
        let accepted = original.router.counters.pushesAccepted
        #expect(copy.router.counters.pushesAccepted == accepted, "seed \(seed)")
        #expect(copy.router.storedCounts == original.router.storedCounts, "seed \(seed)")
        for character in 0..<CaptureTraffic.characterCount {
            let found = probe(copy, character)
            let wanted = probe(original, character)
            #expect(found == wanted, "seed \(seed), character \(character)")
        }
    }

    /// The widgets that a push reloads, of all devices.
    private func probe(_ harness: RouterHarness, _ character: Int) -> [String] {
        let (publisher, gateway): (ConnectionSlot, ConnectionSlot) = (90, 91)
        _ = harness.connect(.publisher, "probe-\(character)", slot: publisher)
        _ = harness.connect(.gateway, slot: gateway)
        for device in 0..<CaptureTraffic.deviceCount {
            // From now on it is the gateway that is told to reload it.
            harness.device(gateway, .state, #"{"device":"d-\#(device)","foreground":false}"#)
        }
        _ = harness.settle()
        harness.push(publisher, 1, #"{"character":"c-\#(character)"}"#)
        let reloads = harness.settle()
        harness.close(publisher)
        harness.close(gateway)
        return reloads.map { "\($0.device) \($0.widgets.sorted()) \($0.cause)" }.sorted()
    }
}
