// These look inside the router, which only builds for testing let them.
#if DEBUG
import Basics
import FrameCodec
import ReloadScheduling
@testable import RouterCore
import TestSupport
import Testing
import WidgetMatching

@Suite("The router's memory")
struct RouterMemoryTests {
    @Test("is free again when 10,000 devices are registered and removed ten times")
    func devicesComeAndGo() {
        let harness = RouterHarness()
        let gateway = harness.connect(.gateway)
        let names = harness.router.state.reloads.delivery.names.usedByteCount
        var held: [Int] = []
        for _ in 0..<10 {
            for number in 0..<10_000 {
                harness.widgets(
                    gateway,
                    "device-\(number)",
                    [.character("w", "kit"), .init("s", "static")]
                )
            }
            let counts = harness.router.storedCounts
            #expect(counts.devices == 10_000 && counts.widgets == 20_000)
            for number in 0..<10_000 { harness.widgets(gateway, "device-\(number)", []) }
            _ = harness.step()
            let rest = harness.router.storedCounts
            #expect(rest.devices == 0 && rest.widgets == 0)
            let used = harness.router.state.reloads.delivery.names.usedByteCount
            #expect(used == names)
            held.append(heldByteCount(harness))
        }
        // The first round makes room; the second may find fragments; the others need no more.
        #expect(Set(held[2...]).count == 1, "\(held)")
    }

    @Test("is free again when device sessions come and go")
    func sessionsComeAndGo() {
        let harness = RouterHarness()
        let names = harness.router.state.reloads.delivery.names.usedByteCount
        for round in 0..<1_000 {
            let slot = harness.connect(.device, "device-\(round)", slot: 3)
            harness.widgets(slot, "device-\(round)", [.character("w", "kit")])
            harness.widgets(slot, "device-\(round)", [])
            harness.close(slot)
            _ = harness.step()
        }
        let used = harness.router.state.reloads.delivery.names.usedByteCount
        #expect(used == names)
    }

    @Test("holds push tokens only while their devices are stored")
    func pushTokens() {
        let harness = RouterHarness()
        let gateway = harness.connect(.gateway)
        harness.install(ControlPushTests.catalog)
        for token in ["aa", String(repeating: "7f", count: 500), "bb"] {
            harness.device(
                gateway,
                .widgets,
                #"{"device":"d","pushToken":"\#(token)","appPushToken":"\#(token)cc","widgets":["#
                    + #"{"id":"w","kind":"log","pushToken":"\#(token)dd"}]}"#
            )
            _ = harness.step()
            #expect(harness.router.state.reloads.apns.texts.usedByteCount > 0)
            harness.checkInvariants()
        }
        harness.widgets(gateway, "d", [])
        #expect(harness.router.state.reloads.apns.texts.usedByteCount == 0)
        harness.checkInvariants()
    }

    @Test("does not grow with the dates that later timelines have replaced")
    func deadlines() {
        let harness = RouterHarness()
        let device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit")])
        for number in 0..<20_000 as Range<Int64> {
            let date = harness.now.wall.rawValue + 1_000_000_000 + number
            harness.timeline(device, "d", "w", policy: #"{"after":\#(date)}"#)
            if number % 100 == 0 { _ = harness.step() }
        }
        let count = harness.router.outbox.agenda.timers.entryCount
        #expect(count < 5_000, "one widget has one date, and the wheel has \(count)")
    }

    @Test("does not grow with the connections that there have been")
    func connections() {
        let harness = RouterHarness()
        for _ in 0..<20_000 {
            let slot = harness.open(0)
            harness.hello(slot, .gateway, nil)
            harness.close(slot)
            _ = harness.take()
        }
        let mirror = Mirror(reflecting: harness.router.link.front.sessions.awaitingHello)
        let entries = mirror.descendant("entries") as? ContiguousArray<AwaitingHelloQueue.Entry>
        let count = entries?.count ?? .max
        #expect(count < 5_000, "nobody waits, and the queue has \(count) entries")
    }

    private func heldByteCount(_ harness: RouterHarness) -> Int {
        harness.router.state.reloads.delivery.names.byteCount
            + harness.router.state.reloads.delivery.devices.byteCount
            + harness.router.state.reloads.delivery.widgets.byteCount
            + harness.router.state.reloads.delivery.deviceIndex.byteCount
            + harness.router.state.matcher.byteCount
    }
}
#endif
