import Basics
import CaptureFormat
import FrameCodec
import LoadReporting
import TestSupport
import Testing

@testable import CaptureTools

@Suite("The devices of a replay")
struct ReplayDevicesTests {
    fileprivate func sink(
        _ capture: consuming SampleCapture,
        _ change: (inout ReplaySettings) -> Void = { _ in }
    ) throws -> SimulatedSink {
        let source = capture.source()
        var settings = ReplaySettings()
        change(&settings)
        let roster = try ReplayRoster(source, settings: settings)
        return SimulatedSink(try ReplayEngine(source, roster: roster, settings: settings))
    }

    /// Two devices, each with a character, behind a gateway; a push to elf a second later.
    fileprivate func capture() -> SampleCapture {
        var capture = SampleCapture()
        capture.publisher("p", on: 1)
        capture.gateway(on: 2)
        capture.widget("d1", "elf", on: 2)
        capture.widget("d2", "orc", on: 2)
        capture.push("elf", on: 1, at: 1_000_000)
        return capture
    }

    fileprivate static func reload(_ device: String, cause: String = "push") -> String {
        #"{"device":"\#(device)","kinds":["detail"],"widgets":["w1"],"cause":"\#(cause)"}"#
    }

    @Test func `all register before the first push, which waits for their answers`() throws {
        let sink = try sink(capture())
        sink.latency = 30_000_000
        let report = try sink.run()
        #expect(sink.frames.map(\.type) == [.widgets, .widgets, .push])
        #expect(sink.frames[2].time - sink.frames[1].time >= 30_000_000)
        #expect(report.devices.registrations == 2)
        #expect(report.devices.devices == 2)
        #expect(report.devices.widgets == 2)
    }

    @Test func `a RELOAD counts from the push that the widget waited for`() throws {
        var capture = capture()
        capture.push("elf", on: 1, at: 1_040_000)
        let sink = try sink(capture)
        sink.latency = 90_000_000
        sink.reloads = { frame in
            // The second push's reload joins the first one's.
            frame.type == .push && frame.seq == 1 ? [(1, Self.reload("d1"))] : []
        }
        let report = try sink.run()
        #expect(report.reloads.byCause == ["push": 1])
        #expect(report.reload.count == 1)
        #expect(abs(report.reload.max - 90) < 1)
        #expect(report.reloads.waiting == 0)
    }

    @Test func `a widget that no push concerned is not timed, and one that waits is reported`()
        throws
    {
        let sink = try sink(capture())
        sink.reloads = { $0.type == .push ? [(1, Self.reload("d2"))] : [] }
        let report = try sink.run()
        #expect(report.reload.count == 0)
        #expect(report.reloads.byCause == ["push": 1])
        #expect(report.reloads.waiting == 1)
    }

    @Test func `a reload of another cause ends the wait, and is not timed`() throws {
        let sink = try sink(capture())
        sink.reloads = { $0.type == .push ? [(1, Self.reload("d1", cause: "budget"))] : [] }
        let report = try sink.run()
        #expect(report.reload.count == 0)
        #expect(report.reloads.waiting == 0)
        #expect(report.reloads.byCause == ["budget": 1])
    }

    @Test func `a gateway that ended and came back does so again`() throws {
        var capture = capture()
        capture.put(.ended, on: 2, at: 1_100_000, "")
        capture.push("elf", on: 1, at: 1_200_000)
        capture.gateway(on: 3, at: 1_300_000)
        capture.widget("d1", "elf", on: 3, at: 1_310_000)
        capture.push("elf", on: 1, at: 1_400_000)
        let sink = try sink(capture)
        let report = try sink.run()
        let devices = sink.frames.filter { $0.stream == 1 }
        #expect(devices.map(\.type) == [.widgets, .widgets, .widgets])
        // The capture ended it, nobody lost it.
        #expect(report.connectionsLost == 0)
        #expect(report.devices.unreachable == 1)
        #expect(sink.engine.streams.count == 2)
    }

    @Test func `timelines lose the RELOAD that they answered, and keep their distance`() throws {
        var capture = capture()
        // The capture began at 1,700,000,000,000 ms; this is 60 s after its push.
        capture.put(
            .timeline,
            on: 2,
            at: 1_010_000,
            #"{"device":"d1","widget":"w1","reload":17,"entries":[1700000061010],"#
                + #""policy":{"after":1700000091010}}"#
        )
        capture.push("elf", on: 1, at: 1_020_000)
        let sink = try sink(capture)
        _ = try sink.run()
        let timeline = try #require(sink.frames.first { $0.type == .timeline })
        let sent = timeline.time.rawValue / 1_000_000
        #expect(
            timeline.body
                == #"{"device":"d1","widget":"w1","entries":[\#(sent + 60_000)],"#
                + #""policy":{"after":\#(sent + 90_000)}}"#
        )
    }

    @Test func `a push expires as long after its arrival as it did`() throws {
        var capture = capture()
        let date: UInt64 = 1_700_000_001_500 + 5_000
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: date >> (56 - 8 * $0)) }
        // Each byte of this date is ASCII or not: it is put as bytes.
        capture.push(bytes + Array(#"{"character":"elf"}"#.utf8), on: 1, at: 1_500_000, flags: 2)
        let sink = try sink(capture)
        _ = try sink.run()
        let push = try #require(sink.frames.last { $0.type == .push })
        #expect(push.flags == 2)
        #expect(push.date == UInt64(push.time.rawValue / 1_000_000) + 5_000)
    }

    @Test func `copies have devices, producers and values of their own`() throws {
        let sink = try sink(capture()) { $0.scale = 3 }
        let report = try sink.run()
        let widgets = sink.frames.filter { $0.type == .widgets }.map(\.body)
        #expect(widgets.count == 6)
        #expect(
            widgets[1]
                == #"{"device":"d1~1","widgets":[{"id":"w1","kind":"detail","#
                + #""configuration":{"character":"elf~1"}}]}"#
        )
        let pushes = sink.frames.filter { $0.type == .push }
        #expect(
            pushes.map(\.body).sorted() == [
                #"{"character":"elf","hp":7}"#, #"{"character":"elf~1","hp":7}"#,
                #"{"character":"elf~2","hp":7}"#,
            ]
        )
        #expect(Set(pushes.map(\.stream)).count == 3)
        #expect(report.publishers == 3)
        #expect(report.reloads.waiting == 3)
        #expect(report.pushes.intended == 3)
    }

    @Test func `values that rules name, or look into, are the same in all copies`() throws {
        let apps = """
            {"apps":[{"app":"game","kinds":[
              {"kind":"detail","match":{"event":["dragon"],"region":["${configuration.region}"],
                "level":[{"numeric":[">=","${configuration.level}"]}],
                "name":[{"prefix":"${configuration.name}"}],"id":["${configuration.id}"],
                "tags":{"all":["${configuration.tag}"]}}}]}]}
            """
        var capture = SampleCapture(apps: apps)
        capture.publisher("p", on: 1)
        capture.gateway(on: 2)
        let configuration =
            #"{"region":"marsh","level":5,"name":"el","id":42,"tag":["a","b"],"other":"x"}"#
        capture.put(
            .widgets,
            on: 2,
            at: 0,
            #"{"device":"d","widgets":[{"id":"w1","configuration":\#(configuration),"kind":"detail"}]}"#
        )
        capture.put(
            .push,
            on: 1,
            at: 1_000,
            #"{"event":"dragon","region":["marsh","dr\u0061gon"],"level":9,"name":"elf","id":42,"#
                + #""tags":{"all":"a"},"free":"y"}"#
        )
        let sink = try sink(capture) { $0.scale = 2 }
        let report = try sink.run()
        #expect(
            sink.frames.last { $0.type == .widgets }?.body
                == #"{"device":"d~1","widgets":[{"id":"w1","configuration":{"region":"marsh~1","#
                + #""level":5,"name":"el","id":1000000000042,"tag":["a~1","b~1"],"other":"x"},"#
                + #""kind":"detail"}]}"#
        )
        #expect(
            sink.frames.last { $0.type == .push }?.body
                == #"{"event":"dragon","region":["marsh~1","dragon"],"level":9,"name":"elf","#
                + #""id":1000000000042,"tags":{"all":"a~1"},"free":"y"}"#
        )
        // Each copy's push finds its own widget, and only that.
        #expect(report.reloads.waiting == 2)
    }

    @Test func `without devices only pushes are sent`() throws {
        let sink = try sink(capture()) { $0.hasDevices = false }
        let report = try sink.run()
        #expect(sink.frames.map(\.type) == [.push])
        #expect(report.gateways == 0)
    }

    @Test func `a lost gateway connection binds its devices again`() throws {
        var capture = capture()
        capture.push("elf", on: 1, at: 2_000_000)
        let sink = try sink(capture)
        while sink.frames.count < 3 {
            try sink.tick()
            sink.advance(100_000)
        }
        sink.close(1, "a test ended it")
        _ = try sink.run()
        let states = sink.frames.filter { $0.type == .state }.map(\.body)
        #expect(states == [#"{"device":"d1"}"#, #"{"device":"d2"}"#])
    }
}

extension ReplayDevicesTests {
    @Test func `devices can have the sessions that were recorded`() throws {
        var capture = SampleCapture()
        capture.publisher("p", on: 1)
        capture.device("d1", on: 2)
        capture.widget("d1", "elf", on: 2)
        capture.push("elf", on: 1, at: 1_000_000)
        capture.put(.ended, on: 2, at: 1_100_000, "")
        capture.push("elf", on: 1, at: 1_200_000)
        capture.device("d1", on: 9, at: 1_300_000)
        capture.push("elf", on: 1, at: 1_400_000)
        let sink = try sink(capture) {
            $0.gateways = 0
            $0.scale = 2
        }
        sink.reloads = { push in
            guard push.type == .push, push.stream == 0 else { return [] }
            return [(2, Self.reload("d1"))]
        }
        let report = try sink.run()
        #expect(sink.engine.streams.map(\.role) == [.publisher, .publisher, .device, .device])
        #expect(sink.hellos.filter { $0 >= 2 } == [2, 3, 2, 3])
        #expect(report.connectionsLost == 0)
        #expect(report.devices.unreachable == 2)
        #expect(report.reload.count == 2)
        // Those of copy 1 have had none: its first wait ended with its session.
        #expect(report.reloads.waiting == 1)
    }

    @Test func `each round begins with the sessions that the first one began with`() throws {
        var capture = capture()
        capture.put(.ended, on: 2, at: 1_100_000, "")
        capture.push("elf", on: 1, at: 1_200_000)
        capture.push("elf", on: 1, at: 1_300_000)
        let sink = try sink(capture) { $0.loops = 3 }
        let report = try sink.run()
        #expect(report.pushes.acknowledged == 9)
        // In each round the gateway is gone behind the first push.
        #expect(sink.hellos == [0, 1, 1, 1])
        #expect(report.devices.unreachable == 6)
        // A new connection speaks for nobody until it says for whom.
        #expect(sink.frames.count { $0.type == .state } == 4)
    }
}
