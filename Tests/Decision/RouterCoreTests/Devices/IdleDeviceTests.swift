import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing
import WidgetMatching

@testable import RouterCore

@Suite("A device of which nothing is heard")
struct IdleDeviceTests {
    private static let day: Int64 = 86_400_000
    private let harness = RouterHarness { $0.deviceIdle = .days(10) }
    private let kit = TestWidget.character("w", "kit")

    private var devices: Int { harness.router.state.reloads.delivery.devices.count }

    /// Lets days pass, and looks at the devices.
    private func pass(_ days: Int64, milliseconds: Int64 = 0) -> [SentFrame] {
        harness.advance(days * Self.day + milliseconds)
        return harness.sweep(isHeard: false) + harness.step()
    }

    /// A device with all that one can have, which has gone; nothing waits for its gateway.
    private func register(_ device: String) -> ConnectionSlot {
        let gateway = harness.connect(.gateway)
        harness.device(
            gateway,
            .widgets,
            #"{"device":"\#(device)","pushToken":"7f3a","appPushToken":"7f3b","widgets":"#
                + #"[\#(kit.json),\#(TestWidget.character("v", "kit").json)]}"#
        )
        let date = harness.now.wall.rawValue + 100 * Self.day
        harness.timeline(gateway, device, "w", policy: #"{"after":\#(date)}"#)
        _ = harness.step()
        return gateway
    }

    @Test func `ends with everything that it owned, at the end of its time and not before`() {
        harness.keepJournal(.game)
        let names = harness.router.state.reloads.delivery.names.usedByteCount
        let publisher = harness.connect(.publisher, "p")
        let gateway = register("d")
        harness.close(gateway)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        _ = harness.settle()
        _ = pass(10, milliseconds: -2_000)
        #expect(devices == 1)
        _ = pass(0, milliseconds: 3_000)
        #expect(devices == 0 && harness.router.counters.devicesForgotten == 1)
        let used = harness.router.state.reloads.delivery.names.usedByteCount
        #expect(used == names)
        #expect(harness.router.state.reloads.apns.texts.usedByteCount == 0)
        #expect(harness.router.state.reloads.delivery.storedBytes == 0)
        #expect(harness.router.state.matcher.index.widgetCount == 0)
        let next = harness.router.nextWakeUp(after: harness.now)
        #expect(next == nil, "no timer is left")
        harness.checkInvariants()
        #expect(harness.replica?.difference(from: harness.router) == nil)
    }

    @Test(arguments: 0..<7)
    func `is kept by every sign of life`(sign: Int) throws {
        let gateway = register("d")
        _ = pass(9)
        switch sign {
        case 0: harness.timeline(gateway, "d", "w")
        case 1: harness.device(gateway, .state, #"{"device":"d","foreground":false}"#)
        case 2: harness.request(gateway, "d")
        case 3: harness.device(gateway, .attach, #"{"devices":["d"]}"#)
        case 4: try harness.report(.request, of: "d", "{}")
        case 5: harness.close(harness.connect(.device, "d"))
        default:
            harness.device(
                gateway,
                .widgets,
                #"{"device":"d","pushToken":"7f3a","appPushToken":"7f3b","widgets":"#
                    + #"[\#(kit.json),\#(TestWidget.character("v", "kit").json)]}"#
            )
        }
        _ = harness.step()
        _ = pass(9)
        #expect(devices == 1)
        let sent = pass(1, milliseconds: 1_000)
        #expect(devices == 0)
        let detached = SentFrame.detached(gateway, #"{"device":"d","reason":"removed"}"#)
        let isReported = sent.contains(detached)
        #expect(isReported == (sign != 5), "its gateway learns that it is gone: \(sent)")
    }

    @Test func `is kept by the same list over HTTP, which is logged once a day`() throws {
        harness.keepJournal(.game)
        try harness.reportWidgets("d", [kit])
        harness.writeJournal()
        for _ in 0..<4 {
            _ = pass(0, milliseconds: Self.day / 4)
            try harness.reportWidgets("d", [kit])
        }
        let view = try harness.router.view(ofDevice: "d", app: "game", now: harness.now)
        #expect(view.heardAt == harness.now.wall)
        _ = pass(9)
        #expect(devices == 1)
        _ = harness.take()
        #expect(harness.replica?.difference(from: harness.router) == nil)
    }

    @Test func `stays while its own session is open`() {
        let slot = harness.connect(.device, "d")
        harness.widgets(slot, "d", [kit])
        _ = harness.step()
        _ = pass(30)
        #expect(devices == 1)
        harness.close(slot)
        _ = pass(9)
        #expect(devices == 1)
        _ = pass(1, milliseconds: 1_000)
        #expect(devices == 0)
    }

    @Test func `is not removed by a wall clock that jumps, nor by time without a router`() throws {
        try harness.keepStore(.game, StoreRun(limits: harness.router.limits, seed: 1))
        try harness.reportWidgets("d", [kit])
        _ = harness.step()
        harness.now.wall += .days(400)
        _ = harness.sweep(isHeard: false)
        harness.advance(30 * Self.day)
        try harness.restart()
        _ = harness.sweep(isHeard: false)
        #expect(devices == 1)
    }

    // MARK: - By an operator

    @Test func `ends at once if an operator asks for it, and may come back as a new one`() throws {
        harness.keepJournal(.game)
        let slot = harness.connect(.device, "d")
        harness.widgets(slot, "d", [kit])
        _ = harness.step()
        try harness.router.forgetDevice("d", app: "game", now: harness.now)
        #expect(devices == 0)
        #expect(throws: ProtocolError.self) {
            try harness.router.forgetDevice("d", app: "game", now: harness.now)
        }
        harness.timeline(slot, "d", "w")
        #expect(harness.step().contains { isReject($0, slot, 2, .deviceUnknown) })
        harness.widgets(slot, "d", [kit])
        _ = harness.step()
        let publisher = harness.connect(.publisher, "p")
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.settle().map(\.slot) == [slot])
        #expect(harness.replica?.difference(from: harness.router) == nil)
    }

    @Test func `whose push is under way ends, and the answer to that is ignored`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        let push = game.take()
        try game.harness.router.forgetDevice("phone", app: "game", now: game.harness.now)
        try game.end(push, .tokenDead(since: nil, because: .unregistered))
        #expect(try game.endedTokens() == [])
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        try game.end(game.take(), .accepted)
        game.harness.checkInvariants()
    }
}
