import Basics
import Foundation
import FrameCodec
import LoadReporting
import ReloadRouterClient
import TestSupport
import Testing
import WidgetTimelines

@testable import RouterSimulation
@testable import WidgetFleet

/// A world that does nothing but remember what it was asked for.
private final class QuietPorts: FleetPorts {
    var exactTime: ExactTime { .none }
    var frames: [FrameType] = []
    var fetches: [(path: String, number: Int)] = []
    var networks: [Bool] = []

    func send(_ frame: DeviceFrame, of device: Int, widget: Int?) { frames.append(frame.type) }
    func fetch(_ path: String, number: Int) { fetches.append((path, number)) }
    func isConnected(_ device: Int) -> Bool { true }
    func setOnline(_ isOnline: Bool, device: Int) -> Bool {
        networks.append(isOnline)
        return true
    }
    func breakConnection(of device: Int) {}
}

@Suite("What a fleet does when its origin refuses")
struct FleetEngineTests {
    private let ports = QuietPorts()
    private let engine: FleetEngine
    private let start = VirtualFleet.start

    /// One device, whose provider has just asked for the first time.
    init() throws {
        let scenario = try testScenario([
            "devices": 1, "ramp": 0, "widgets": [["kind": "com.mygame.dragon-watch"]],
        ])
        engine = FleetEngine(
            scenario,
            population: try FleetPopulation(
                scenario,
                declarations: GameBundle.declarations,
                seed: 1,
                now: start
            ),
            seed: 1,
            now: start,
            mailbox: FleetMailbox {},
            ports: ports
        )
        engine.advance(to: start + 1)
    }

    private func pass(to length: Milliseconds) { engine.advance(to: start + 1 + length) }

    private var lines: [String] {
        engine.devices[0].widgets[0].lines(at: engine.now, calendar: engine.calendar)
    }

    private func refuse(_ status: Int, retryAfter: Int? = nil) {
        engine.fetched(
            ports.fetches.last!.number,
            answer: .refused(status: status, retryAfter: retryAfter)
        )
        engine.readMailbox()
    }

    @Test func `A provider asks, and observes what it is answered`() {
        #expect(ports.fetches.map(\.path) == ["/region/marsh"])
        #expect(engine.liveCount == 0)
        engine.fetched(ports.fetches[0].number, answer: .body(Array("7".utf8)))
        engine.readMailbox()
        #expect(lines == ["7"] && engine.liveCount == 1)
        #expect(ports.frames == [.widgets, .timeline])
    }

    @Test(arguments: [429, 503])
    func `One that has too much to do is asked again, later each time, four times in all`(
        status: Int
    ) {
        var time = Milliseconds.zero
        for longest in [500, 1_000, 2_000] as [Milliseconds] {
            refuse(status)
            let count = ports.fetches.count
            pass(to: time + longest / 2 - 1)
            #expect(ports.fetches.count == count)
            time += longest
            pass(to: time)
            #expect(ports.fetches.count == count + 1)
        }
        #expect(engine.liveCount == 0 && ports.fetches.count == 4)
        refuse(status)
        pass(to: time + 10_000)
        #expect(ports.fetches.count == 4 && lines == ["–"] && engine.liveCount == 1)
        #expect(engine.recorder.retries == 3 && engine.recorder.failed == 1)
    }

    @Test func `It is not asked before the time that it has reported`() {
        refuse(503, retryAfter: 5)
        pass(to: 5_249)
        #expect(ports.fetches.count == 1)
        pass(to: 5_500)
        #expect(ports.fetches.count == 2)
    }

    @Test(arguments: [400, 404, 500, 0, -1])
    func `Other statuses are final`(status: Int) {
        refuse(status, retryAfter: 1)
        pass(to: 10_000)
        #expect(ports.fetches.count == 1 && lines == ["–"])
        #expect(engine.recorder.retries == 0 && engine.recorder.failed == 1)
    }

    @Test func `One that cannot be reached is not asked again`() {
        engine.fetched(ports.fetches[0].number, answer: .unreachable("no route"))
        engine.readMailbox()
        #expect(lines == ["–"] && engine.recorder.failed == 1)
    }

    @Test func `A device that has lost its network meanwhile does not ask again`() {
        refuse(503)
        engine.setOnline(false, device: 0)
        pass(to: 500)
        #expect(ports.fetches.count == 1 && lines == ["–"])
        #expect(ports.networks == [false] && engine.onlineCount == 0)
        engine.setOnline(false, device: 0)
        engine.setOnline(true, device: 0)
        #expect(ports.networks == [false, true] && engine.onlineCount == 1)
    }

    @Test func `An answer that comes twice, or after the end of the extension, does nothing`() {
        let number = ports.fetches[0].number
        pass(to: 30_000)
        #expect(engine.recorder.reloads.extensionsEnded == 1)
        engine.fetched(number, answer: .body(Array("late".utf8)))
        engine.fetched(number, answer: .body(Array("twice".utf8)))
        engine.readMailbox()
        #expect(engine.liveCount == 0)
        // Five minutes later the system tries once more.
        pass(to: 330_000)
        #expect(ports.fetches.count == 2)
        engine.fetched(ports.fetches[1].number, answer: .body(Array("now".utf8)))
        engine.readMailbox()
        #expect(lines == ["now"] && engine.liveCount == 1)
    }
}
