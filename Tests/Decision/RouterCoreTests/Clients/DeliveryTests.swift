import Basics
import FrameCodec
import RouterCore
import Testing

@Suite("The router, delivering RELOADs")
struct DeliveryTests {
    let harness = RouterHarness()
    let publisher: ConnectionSlot

    init() {
        publisher = harness.connect(.publisher, "p")
    }

    @Test("numbers RELOADs so that no two sessions share a number")
    func numbers() {
        let gateways = (0..<3).map { _ in harness.connect(.gateway) }
        for (index, slot) in gateways.enumerated() {
            harness.widgets(slot, "d\(index)", [.character("w", "kit")])
        }
        var seqs: [UInt64] = []
        for seq in 1...4 as ClosedRange<UInt64> {
            harness.push(publisher, seq, #"{"character":"kit"}"#)
            seqs += harness.reloads().map(\.seq)
        }
        #expect(seqs == Array(1...12))
    }

    @Test("holds back RELOADs while a connection is full, coalesces them, and sends them after")
    func fullConnection() {
        let full = harness.connect(.gateway)
        let other = harness.connect(.gateway)
        harness.widgets(full, "d1", [.character("a", "kit"), .character("b", "nim")])
        harness.widgets(other, "d2", [.character("w", "kit")])
        _ = harness.step()
        harness.router.outputFilled(full)
        for seq in 1...50 as ClosedRange<UInt64> {
            harness.push(publisher, seq, #"{"character":"kit"}"#)
            #expect(harness.reloads().map(\.device) == ["d2"])
        }
        harness.push(publisher, 51, #"{"character":"nim"}"#)
        #expect(harness.reloads() == [])
        harness.router.outputDrained(full)
        let reloads = harness.reloads()
        #expect(reloads.map(\.slot) == [full])
        #expect(reloads.first.map { Set($0.widgets) } == ["a", "b"])
        #expect(harness.reloads() == [])
    }

    @Test("does not spin while all devices that wait have full connections")
    func fullIsNotReady() {
        let full = harness.connect(.gateway)
        harness.widgets(full, "d1", [.character("a", "kit")])
        _ = harness.step()
        harness.router.outputFilled(full)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        _ = harness.step()
        let isReady = harness.router.hasReadyDevices
        #expect(!isReady)
    }

    @Test("keeps the reloads of an absent device, as one RELOAD for its next session")
    func offline() {
        let device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit")])
        _ = harness.step()
        harness.close(device)
        for seq in 1...5 as ClosedRange<UInt64> {
            harness.push(publisher, seq, #"{"character":"kit"}"#)
            #expect(harness.step() == [.ack(publisher, seq: seq, matched: 1)])
        }
        let again = harness.connect(.device, "d", slot: device)
        let reloads = harness.reloads()
        #expect(reloads.map(\.slot) == [again] && reloads.map(\.widgets) == [["w"]])
        #expect(harness.reloads() == [])
    }

    @Test("keeps the reloads of a device whose full connection closes")
    func fullThenClosed() {
        let device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit")])
        _ = harness.step()
        harness.router.outputFilled(device)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.reloads() == [])
        harness.close(device)
        _ = harness.connect(.device, "d", slot: device)
        #expect(harness.reloads().map(\.widgets) == [["w"]])
    }

    @Test("moves the reloads of a device when another connection speaks for it")
    func movesToGateway() {
        let one = harness.connect(.gateway)
        let two = harness.connect(.gateway)
        harness.widgets(one, "d", [.character("w", "kit")])
        _ = harness.step()
        harness.router.outputFilled(one)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.reloads() == [])
        harness.device(two, .state, #"{"device":"d"}"#)
        #expect(harness.reloads().map(\.slot) == [two])
        harness.router.outputDrained(one)
        #expect(harness.reloads() == [])
    }

    @Test("repeats a RELOAD in each next session until a TIMELINE names it")
    func unanswered() throws {
        var device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit"), .character("v", "kit")])
        _ = harness.step()
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        var last = try #require(harness.reloads().first)
        for _ in 0..<3 {
            harness.close(device)
            device = harness.connect(.device, "d", slot: device)
            let next = try #require(harness.reloads().first)
            #expect(next.seq > last.seq && Set(next.widgets) == ["v", "w"])
            #expect(next.cause == "push")
            last = next
        }
        harness.timeline(device, "d", "w", reload: last.seq)
        // These name nothing, or something else.
        harness.timeline(device, "d", "v")
        harness.timeline(device, "d", "v", reload: last.seq - 1)
        _ = harness.step()
        harness.close(device)
        device = harness.connect(.device, "d", slot: device)
        let rest = try #require(harness.reloads().first)
        #expect(rest.widgets == ["v"])
        harness.timeline(device, "d", "v", reload: rest.seq)
        harness.close(device)
        _ = harness.connect(.device, "d", slot: device)
        #expect(harness.reloads() == [])
    }

    @Test("does not repeat a RELOAD that the first frame of the next session answers")
    func answeredFirst() throws {
        let one = harness.connect(.gateway)
        harness.widgets(one, "d", [.character("w", "kit")])
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        let reload = try #require(harness.reloads().first)
        harness.close(one)
        let two = harness.connect(.gateway)
        harness.timeline(two, "d", "w", reload: reload.seq)
        #expect(harness.reloads() == [])
    }

    @Test("gives a widget whose RELOAD was answered late another one only for a new cause")
    func answeredWhilePending() throws {
        let device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit")])
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        let reload = try #require(harness.reloads().first)
        harness.router.outputFilled(device)
        harness.push(publisher, 2, #"{"character":"kit"}"#)
        _ = harness.step()
        harness.timeline(device, "d", "w", reload: reload.seq)
        harness.router.outputDrained(device)
        #expect(harness.reloads().map(\.widgets) == [["w"]], "push 2 came after RELOAD 1")
    }

    @Test("decides no more than its share in one step, and the rest in the next")
    func reloadsPerStep() {
        let gateway = harness.connect(.gateway)
        let count = RouterLimits.reloadsPerStep + 10
        for number in 0..<count {
            harness.widgets(gateway, "d\(number)", [.character("w", "kit")])
        }
        _ = harness.step()
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        var devices: Set<String> = []
        for expected in [RouterLimits.reloadsPerStep, 10] {
            let isReady = harness.router.hasReadyDevices
            #expect(isReady)
            let reloads = harness.reloads()
            #expect(reloads.count == expected)
            devices.formUnion(reloads.map(\.device))
        }
        let isReady = harness.router.hasReadyDevices
        #expect(!isReady && devices.count == count)
    }

    @Test("splits a RELOAD of more widgets than one may name")
    func manyWidgets() {
        let device = harness.connect(.device, "d")
        let names = (0..<256).map { "w\($0)" }
        harness.widgets(device, "d", names.map { .character($0, "kit") })
        _ = harness.step()
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        let reloads = harness.reloads()
        #expect(reloads.map(\.widgets.count) == [128, 128])
        #expect(Set(reloads.flatMap(\.widgets)) == Set(names))
        #expect(reloads.allSatisfy { $0.kinds == ["detail"] })
        #expect(reloads[0].seq < reloads[1].seq)
    }

    @Test("writes names of the greatest length and any script within the frame's bound")
    func longNames() {
        let name = String(repeating: "😀", count: 32)
        let device = harness.connect(.device, name)
        let widgets = (0..<128).map { number in
            TestWidget.character("\(number)" + String(repeating: "ä", count: 60), "kit")
        }
        harness.widgets(device, name, widgets)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        let reload = harness.reloads().first
        #expect(reload?.device == name)
        #expect(reload.map { Set($0.widgets) } == Set(widgets.map(\.id)))
    }

    // MARK: - REQUEST

    @Test("reloads what a REQUEST asks for: a kind, or all")
    func request() {
        let device = harness.connect(.device, "d")
        harness.widgets(
            device,
            "d",
            [.character("a", "kit"), .init("b", "static"), .character("c", "nim")]
        )
        _ = harness.step()
        let first = harness.request(device, "d", kind: "detail")
        let sent = harness.step()
        let reload = sent.compactMap { isReload($0) }.first
        #expect(reload?.widgets == ["a", "c"] && reload?.cause == "request")
        #expect(sent.last == .ack(device, seq: first, matched: nil))
        harness.request(device, "d")
        #expect(harness.reloads().map(\.widgets) == [["a", "b", "c"]])
        harness.request(device, "d", kind: "dragon")
        #expect(harness.reloads() == [])
    }

    @Test("refuses a REQUEST for a device, kind or app that is not there")
    func badRequests() {
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.character("a", "kit")])
        _ = harness.step()
        for (device, kind, code) in [
            ("e", nil, .deviceUnknown), ("d", "none", .kindUnknown), ("d", "", .identifierInvalid),
            ("", nil, .identifierInvalid),
        ] as [(String, String?, ErrorCode)] {
            let seq = harness.request(gateway, device, kind: kind)
            let sent = harness.step()
            #expect(sent.count == 1 && isReject(sent[0], gateway, seq, code), "\(sent)")
        }
    }
}
