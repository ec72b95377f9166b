import Basics
import CaptureFormat
import FrameCodec
import LoadReporting
import TestSupport
import Testing

@testable import CaptureTools

@Suite("A capture that is played again")
struct ReplayEngineTests {
    /// Pushes a millisecond apart for so many seconds.
    private func steadyCapture(seconds: Int, producers: Int = 1) -> MemorySource {
        var capture = SampleCapture()
        for producer in 0..<producers {
            capture.publisher("p\(producer)", on: UInt32(producer + 1))
        }
        for number in 0..<seconds * 1_000 {
            let connection = UInt32(number % producers + 1)
            capture.push(
                "elf-\(number % 50)",
                on: connection,
                at: RecordedTime(rawValue: UInt64(5_000_000 + number * 1_000))
            )
        }
        return capture.source()
    }

    private func play(
        _ source: MemorySource,
        _ change: (inout ReplaySettings) -> Void = { _ in },
        _ prepare: (SimulatedSink) -> Void = { _ in }
    ) throws -> (ReplayReport, SimulatedSink) {
        var settings = ReplaySettings()
        change(&settings)
        let roster = try ReplayRoster(source, settings: settings)
        let sink = SimulatedSink(try ReplayEngine(source, roster: roster, settings: settings))
        prepare(sink)
        return (try sink.run(), sink)
    }

    @Test(arguments: [8_192, 16])
    func `a router that stands still is felt by every push that was due meanwhile`(
        window: Int
    ) throws {
        let (report, _) = try play(steadyCapture(seconds: 10)) { _ in
        } _: { sink in
            sink.window = window
            sink.stall = 4_000_000_000..<5_000_000_000
        }
        #expect(report.pushes.acknowledged == 10_000)
        #expect(report.pushes.unanswered == 0)
        // A tenth of all pushes waits for half a second on average: also those that a window of 16
        // did not let out.
        let curve = report.acknowledgement.spectrum
        let slow = zip(curve.percentiles, curve.milliseconds).first { $1 > 100 }?.0 ?? 100
        #expect(slow > 89 && slow < 93, "from \(slow) % on above 100 ms")
        #expect(report.acknowledgement.p50 < 0.5)
        #expect(report.acknowledgement.p99 > 880)
        #expect(report.acknowledgement.max > 990)
        #expect(window > 16 || report.lateness.p99 > 800)
    }

    @Test func `the schedule follows from the capture and the speed`() throws {
        for (speed, seconds) in [("1", 2.0), ("4", 0.5), ("0.5", 4.0)] {
            let (report, sink) = try play(steadyCapture(seconds: 2)) {
                $0.speed = ReplaySpeed(speed)!
            }
            let times = sink.frames.filter { $0.type == .push }.map(\.time)
            let length = (times.last! - times.first!).inSeconds
            #expect(abs(length - seconds) < seconds * 0.01)
            #expect(abs(report.pushes.intendedPerSecond - 2_000 / seconds) < 20)
            #expect(report.lateness.max <= 0.2)
        }
    }

    @Test func `rounds follow each other without a gap, and seqs continue rising`() throws {
        let (report, sink) = try play(steadyCapture(seconds: 1)) { $0.loops = 3 }
        #expect(report.pushes.acknowledged == 3_000)
        let pushes = sink.frames.filter { $0.type == .push }
        #expect(pushes.map(\.seq) == Array(1...3_000))
        let gaps = zip(pushes, pushes.dropFirst()).map { $1.time - $0.time }
        #expect(gaps.max()! <= 1_100_000)
    }

    @Test func `a part of the capture is what lies in it`() throws {
        let (report, sink) = try play(steadyCapture(seconds: 4)) {
            $0.from = 6_000_000
            $0.to = 7_500_000
        }
        #expect(report.pushes.intended == 1_500)
        #expect(sink.frames.first?.body.contains("elf-0\"") == true)
    }

    @Test func `without a schedule pushes wait for answers only`() throws {
        let (report, _) = try play(steadyCapture(seconds: 100)) {
            $0.speed = .unlimited
        } _: {
            $0.window = 100
        }
        #expect(report.pushes.acknowledged == 100_000)
        #expect(!report.isOpenLoop)
        // 100 in 300 µs: a window for each step of the clock in which its answer comes.
        #expect(report.seconds > 0.2 && report.seconds < 1)
        #expect(report.pushes.sentPerSecond > 100_000)
        #expect(report.acknowledgement.max < 1)
    }

    @Test func `producers take turns at the connections that there are`() throws {
        let (report, sink) = try play(steadyCapture(seconds: 1, producers: 10)) {
            $0.connections = 3
        }
        #expect(report.publishers == 3)
        #expect(Set(sink.frames.map(\.stream)) == [0, 1, 2])
        // Each connection is a producer of its own, whose numbers rise without gaps.
        for stream in 0..<3 {
            let seqs = sink.frames.filter { $0.stream == stream }.map(\.seq)
            #expect(seqs == Array(1...UInt64(seqs.count)))
        }
    }

    @Test func `what a connection loses is sent again and counts from its intended time`() throws {
        let source = steadyCapture(seconds: 2)
        let roster = try ReplayRoster(source, settings: ReplaySettings())
        let sink = SimulatedSink(
            try ReplayEngine(source, roster: roster, settings: ReplaySettings())
        )
        sink.latency = 50_000_000
        for stream in sink.engine.streams { sink.engine.dirty.append(stream) }
        while sink.frames.count < 500 {
            try sink.tick()
            sink.advance(100_000)
        }
        sink.close(0, "a test ended it")
        let report = try sink.run()
        #expect(report.pushes.acknowledged == 2_000)
        #expect(report.pushes.sentAgain > 40 && report.pushes.sentAgain < 60)
        #expect(report.connectionsLost == 1)
        #expect(report.pushes.sent == 2_000)
        #expect(report.acknowledgement.max > 95)
    }

    @Test func `rejections are counted by code, and are answers`() throws {
        let (report, _) = try play(steadyCapture(seconds: 1)) { _ in
        } _: {
            $0.refuses = { $0.seq % 10 == 0 }
        }
        #expect(report.pushes.rejectedByCode == ["payload-kinds": 100])
        #expect(report.pushes.acknowledged == 900)
        #expect(report.pushes.unanswered == 0)
    }

    @Test(arguments: [0, 4])
    func `sessions that began before their app was declared are ignored`(gateways: Int) throws {
        var capture = SampleCapture(apps: #"{"apps":[]}"#)
        capture.gateway(on: 1)
        capture.publisher("early", on: 2)
        capture.device("d1", on: 3)
        capture.put(.apps, on: 0, at: 1_000, SampleCapture.appFile)
        capture.publisher("p", on: 4, at: 2_000)
        capture.widget("d1", "elf", on: 1, at: 2_000)
        capture.push("elf", on: 2, at: 3_000)
        capture.push("elf", on: 4, at: 4_000)
        let (report, _) = try play(capture.source()) { $0.gateways = gateways }
        #expect(report.pushes.acknowledged == 1)
    }

    @Test func `a capture without pushes is refused`() throws {
        var capture = SampleCapture()
        capture.publisher("p", on: 1)
        let source = capture.source()
        #expect(throws: ReplayError.self) { try ReplayRoster(source, settings: ReplaySettings()) }
    }
}
