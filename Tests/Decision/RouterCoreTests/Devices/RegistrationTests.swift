import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("The router, given widget lists")
struct RegistrationTests {
    let harness = RouterHarness()
    let device: ConnectionSlot
    let publisher: ConnectionSlot

    init() {
        device = harness.connect(.device, "d")
        publisher = harness.connect(.publisher, "p")
        harness.widgets(device, "d", [.character("w", "kit"), .character("v", "nim")])
        _ = harness.step()
    }

    private func counts() -> [Int] {
        let counts = harness.router.storedCounts
        return [counts.devices, counts.widgets]
    }

    /// The widgets that a push for a character reloads.
    private func matches(_ character: String, seq: UInt64) -> [String] {
        harness.push(publisher, seq, #"{"character":"\#(character)"}"#)
        return harness.reloads().flatMap(\.widgets).sorted()
    }

    @Test("replaces the whole list of the device")
    func replaces() {
        #expect(counts() == [1, 2])
        harness.widgets(
            device,
            "d",
            [.character("v", "nim"), .character("x", "kit"), .character("y", "kit")]
        )
        _ = harness.step()
        #expect(counts() == [1, 3])
        #expect(matches("kit", seq: 1) == ["x", "y"])
        #expect(matches("nim", seq: 2) == ["v"])
        harness.request(device, "d")
        #expect(harness.reloads().map(\.widgets) == [["v", "x", "y"]])
    }

    @Test("matches a widget by its new configuration or kind, and not by the old")
    func changes() {
        harness.widgets(
            device,
            "d",
            [.character("w", "spouty"), .init("v", "log", #"{"character":"nim"}"#)]
        )
        _ = harness.step()
        #expect(matches("kit", seq: 1) == [])
        #expect(matches("spouty", seq: 2) == ["w"])
        harness.push(publisher, 3, #"{"character":"nim"}"#)
        #expect(harness.reloads().map(\.kinds) == [["log"]])
    }

    @Test(
        "changes nothing when any widget of the list is wrong",
        arguments: [
            (#"{"id":"w","kind":"detail"},{"id":"w","kind":"log"}"#, .widgetDuplicate),
            (#"{"id":"w","kind":"detail"},{"id":"\u0077","kind":"log"}"#, .widgetDuplicate),
            (#"{"id":"x","kind":"detail"},{"id":"y","kind":"nothing"}"#, .kindUnknown),
            (#"{"id":"x","kind":"detail"},{"id":"","kind":"log"}"#, .identifierInvalid),
            (#"{"id":"x","kind":"detail"},{"id":"a\"b","kind":"log"}"#, .identifierInvalid),
            (#"{"id":"x","kind":"detail","family":"\n"}"#, .identifierInvalid),
            (#"{"id":"x","kind":"detail"},{"id":"y"}"#, .bodyInvalid),
            (#"{"id":"x","kind":"detail"},7"#, .bodyInvalid),
            (#"{"id":"x","kind":"detail","configuration":7}"#, .bodyInvalid),
            (#"{"id":"x","kind":"log","configuration":{"a":{}}}"#, .configurationInvalid),
            (#"{"id":"x","kind":"log","configuration":{"a":null}}"#, .configurationInvalid),
            (#"{"id":"x","kind":"log","configuration":{"a":[[1]]}}"#, .configurationInvalid),
            (#"{"id":"x","kind":"log","configuration":{"a":1,"a":2}}"#, .payloadDuplicateKey),
        ] as [(String, ErrorCode)]
    )
    func allOrNothing(list: String, code: ErrorCode) {
        let seq = harness.device(device, .widgets, #"{"device":"d","widgets":[\#(list)]}"#)
        let sent = harness.step()
        #expect(sent.count == 1 && isReject(sent[0], device, seq, code), "\(sent)")
        #expect(counts() == [1, 2])
        #expect(matches("kit", seq: 1) == ["w"])
        #expect(matches("nim", seq: 2) == ["v"])
    }

    @Test("takes as many widgets as the limit says, and not one more")
    func widgetLimit() {
        let harness = RouterHarness { $0.widgetsPerDevice = 5 }
        let device = harness.connect(.device, "d")
        let first = harness.widgets(device, "d", (0..<5).map { .character("w\($0)", "kit") })
        #expect(harness.step() == [.ack(device, seq: first, matched: nil)])
        let second = harness.widgets(device, "d", (0..<6).map { .character("w\($0)", "kit") })
        let sent = harness.step()
        #expect(sent.count == 1 && isReject(sent[0], device, second, .tooManyWidgets))
        let count = harness.router.storedCounts.widgets
        #expect(count == 5)
    }

    @Test("takes as many values of all widgets as the limit says, and charges for each")
    func valueLimit() {
        let harness = RouterHarness { $0.removeWorkLimits() }
        let device = harness.connect(.device, "d")
        func list(_ count: Int) -> String {
            let widgets = (0..<count).map { number in
                let values = (0..<256).map { "\($0)" }.joined(separator: ",")
                return
                    #"{"id":"w\#(number)","kind":"log","configuration":{"character":[\#(values)]}}"#
            }
            return #"{"device":"d","widgets":[\#(widgets.joined(separator: ","))]}"#
        }
        let most = RouterLimits.valuesPerDevice / 256
        let first = harness.device(device, .widgets, list(most))
        #expect(harness.step() == [.ack(device, seq: first, matched: nil)])
        let least = RouterLimits.valuesPerDevice * WorkCost.storedValue
        #expect(harness.router.outbox.work.spentBefore > least)
        let second = harness.device(device, .widgets, list(most + 1))
        let sent = harness.step()
        #expect(sent.count == 1 && isReject(sent[0], device, second, .configurationInvalid))
        let count = harness.router.storedCounts.widgets
        #expect(count == most)
    }

    @Test("takes as many devices as the limit says, and changes those it has")
    func deviceLimit() {
        let harness = RouterHarness { $0.devices = 2 }
        let gateway = harness.connect(.gateway)
        for name in ["a", "b"] { harness.widgets(gateway, name, [.character("w", "kit")]) }
        _ = harness.step()
        let third = harness.widgets(gateway, "c", [.character("w", "kit")])
        let sent = harness.step()
        #expect(sent.count == 1 && isReject(sent[0], gateway, third, .tooManyDevices))
        harness.widgets(gateway, "a", [.character("w", "nim")])
        harness.widgets(gateway, "b", [])
        harness.widgets(gateway, "c", [.character("w", "kit")])
        #expect(harness.step() == [.ack(gateway, seq: 6, matched: nil)])
    }

    @Test("refuses a frame for another device from a device, whatever its type")
    func foreign() {
        let seqs = [
            harness.widgets(device, "e", []), harness.timeline(device, "e", "w"),
            harness.request(device, "e"), harness.device(device, .state, #"{"device":"e"}"#),
        ]
        let sent = harness.step()
        #expect(sent.count == seqs.count)
        for (answer, seq) in zip(sent, seqs) {
            #expect(isReject(answer, device, seq, .deviceForeign), "\(answer)")
        }
    }

    @Test("keeps what is pending, unanswered and scheduled for a widget listed again as it was")
    func keepsUnchanged() {
        let start = harness.now.wall.rawValue
        harness.timeline(device, "d", "v", policy: #"{"after":\#(start + 10)}"#)
        _ = harness.step()
        harness.router.outputFilled(device)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        _ = harness.step()
        harness.widgets(
            device,
            "d",
            [.character("x", "kit"), .character("v", "nim"), .character("w", "kit")]
        )
        _ = harness.step()
        harness.router.outputDrained(device)
        #expect(harness.reloads().map(\.widgets) == [["w"]])
        harness.advance(10)
        #expect(harness.reloads().map(\.widgets) == [["v"]])
        harness.close(device)
        _ = harness.connect(.device, "d", slot: device)
        #expect(harness.reloads().map { Set($0.widgets) } == [["v", "w"]])
    }

    @Test("keeps the unanswered RELOAD of a widget that was changed")
    func keepsRequestedReload() {
        harness.router.outputFilled(device)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        _ = harness.step()
        harness.widgets(device, "d", [.character("w", "spouty")])
        _ = harness.step()
        harness.router.outputDrained(device)
        #expect(harness.reloads().map(\.widgets) == [["w"]])
    }

    @Test("reloads no widget that was removed while its RELOAD was pending")
    func removedWhilePending() {
        harness.router.outputFilled(device)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        _ = harness.step()
        // Of another family, it is not the former widget with another configuration.
        var other = TestWidget.character("x", "kit")
        other.family = "systemLarge"
        harness.widgets(device, "d", [.character("v", "nim"), other])
        _ = harness.step()
        harness.router.outputDrained(device)
        #expect(harness.reloads() == [])
        #expect(matches("kit", seq: 2) == ["x"])
    }

    @Test("forgets a device with its last widget, and knows it again with a new one")
    func removesDevice() {
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        harness.widgets(device, "d", [])
        #expect(harness.reloads() == [])
        #expect(counts() == [0, 0])
        let seq = harness.request(device, "d")
        #expect(harness.step().contains { isReject($0, device, seq, .deviceUnknown) })
        harness.widgets(device, "d", [.character("z", "kit")])
        _ = harness.step()
        #expect(matches("kit", seq: 2) == ["z"])
        // An empty list of a device that is not stored is no mistake.
        let gateway = harness.connect(.gateway)
        let empty = harness.widgets(gateway, "never", [])
        #expect(harness.step() == [.ack(gateway, seq: empty, matched: nil)])
    }

    @Test("keeps devices of the same name in two apps apart")
    func devicesOfApps() {
        let other = harness.connect(.device, "d", app: "news", token: "dev")
        harness.widgets(other, "d", [.init("n", "detail", #"{"character":"kit"}"#)])
        _ = harness.step()
        #expect(counts() == [2, 3])
        #expect(matches("kit", seq: 1) == ["w"])
        let seq = harness.timeline(other, "d", "w")
        #expect(harness.step().contains { isReject($0, other, seq, .widgetUnknown) })
    }

    @Test("reads names that are written with escapes, however many there are")
    func escapedNames() {
        let list = (0..<10).map { #"{"id":"\u0061\#($0)","kind":"deta\u0069l"}"# }
            .joined(separator: ",")
        let gateway = harness.connect(.gateway)
        let seq = harness.device(
            gateway,
            .widgets,
            #"{"device":"\u0067adget","widgets":[\#(list)]}"#
        )
        #expect(harness.step() == [.ack(gateway, seq: seq, matched: nil)])
        harness.request(gateway, "gadget")
        let reload = harness.reloads().first
        #expect(reload?.device == "gadget")
        #expect(reload.map { Set($0.widgets) } == Set((0..<10).map { "a\($0)" }))
    }

    @Test("matches pushes of the same read with the widgets as they were before or after a change")
    func interleaved() {
        let list = TestWidget.character("w", "nim").json
        harness.send(publisher, harness.pushFrame(1, #"{"character":"kit"}"#))
        harness.device(device, .widgets, #"{"device":"d","widgets":[\#(list)]}"#)
        harness.send(publisher, harness.pushFrame(2, #"{"character":"kit"}"#))
        #expect(harness.step().contains(.ack(publisher, seq: 2, matched: 1)))
    }

    // MARK: - A new app file

    @Test("matches by the rules of a new app file from the next push on")
    func newRules() {
        var catalog = AppCatalog.game
        catalog.apps[0].kinds[0].rule = .parameter("hero")
        harness.router.install(catalog)
        #expect(matches("kit", seq: 1) == [])
        harness.widgets(device, "d", [.init("w", "detail", #"{"hero":"kit"}"#)])
        _ = harness.step()
        harness.push(publisher, 2, #"{"hero":"kit"}"#)
        #expect(harness.reloads().map(\.widgets) == [["w"]])
    }

    @Test("keeps widgets of a kind that a new app file lacks, for when it comes back")
    func kindGoesAndComes() {
        var catalog = AppCatalog.game
        catalog.apps[0].kinds.removeFirst()
        harness.router.install(catalog)
        #expect(matches("kit", seq: 1) == [])
        #expect(counts() == [1, 2])
        let seq = harness.request(device, "d", kind: "detail")
        #expect(harness.step().contains { isReject($0, device, seq, .kindUnknown) })
        harness.router.install(.game)
        #expect(matches("kit", seq: 2) == ["w"])
    }

    @Test("ends the sessions of an app that a new app file lacks, and no others")
    func appGoes() {
        let other = harness.connect(.publisher, "p", app: "news", token: "pub")
        harness.router.install(AppCatalog(apps: [AppCatalog.game.apps[0]]))
        expectFailure(harness.take(), other, .appUnknown)
        #expect(matches("kit", seq: 1) == ["w"])
        let late = harness.open()
        harness.hello(late, .publisher, "p", app: "news", token: "pub")
        expectFailure(harness.step(), late, .appUnknown)
        harness.router.install(.game)
        _ = harness.connect(.publisher, "p", app: "news", token: "pub")
    }
}
