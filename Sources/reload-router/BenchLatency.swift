import ArgumentParser
import ByteStorage
import FrameCodec
import LibuvLoop

struct BenchLatency: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "Time from a push's intended sending to its RELOAD, at a fixed rate.",
        discussion: """
            Open loop: a push is due every so many microseconds whether or not earlier ones have \
            been answered, and its time counts from when it was due.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: ArgumentHelp("Pushes per second.", valueName: "pushes"))
    var rate = 20_000

    @Option(help: "Devices with one widget each, pushed to in turn.")
    var devices = 100_000

    private static var gateways: Int { 64 }

    func run() throws {
        // One that is pushed to again before its RELOAD has come would get one for both.
        if rate < 1 || devices < rate {
            throw BenchFailure("\(rate) pushes/s to \(devices) devices: there must be as many")
        }
        let population = try BenchPopulation.make(widgets: devices, devices: devices)
        let bench = try BenchLoop()
        let router = try BenchSide.router(bench)
        defer { router.stop() }
        let relay = try BenchSide.reference(bench, .relay)
        defer { relay.stop() }
        for side in [router, relay] {
            let gateways = try side.generator.connect(Self.gateways, as: .gateway)
            if side.generator.wire == .router {
                _ = try population.register(side, through: gateways)
            }
            _ = try side.generator.connect(1, as: .publisher) { _ in "latency" }
            _ = try measure(side, seconds: options.seconds / 3)
        }
        var results: [[LatencyRecorder]] = [[], []]
        for _ in 0..<options.windows {
            // Several windows of several seconds: --seconds 1 is five for each.
            for (index, side) in [router, relay].enumerated() {
                results[index].append(try measure(side, seconds: options.seconds * 5))
            }
        }
        report(results)
    }

    private func report(_ results: [[LatencyRecorder]]) {
        var report = BenchReport(json: options.json)
        let points: [(String, Double, BenchAim?)] = [
            ("p50", 0.5, .ratio(1.5)), ("p99", 0.99, .ratio(1.5)), ("p99.9", 0.999, nil),
        ]
        for (name, point, aim) in points {
            let times = results.map { side in median(side.map { $0.percentile(point) / 1_000 }) }
            report.add("latency.\(name)", times[0], "µs", reference: times[1], aim: aim)
        }
        report.print()
    }

    /// Pushes at the rate for a time; returns each push's latency.
    func measure(_ side: BenchSide, seconds: Double) throws -> LatencyRecorder {
        let generator = side.generator
        let connection = generator.connections[Self.gateways]
        let count = Int(seconds * Double(rate))
        let recorder = LatencyRecorder(
            devices: devices,
            count: count,
            isStamped: generator.wire == .forwarding
        )
        let frames = LoadGeneratorFrames.pushes(BenchApp.characterPush)
        let interval = 1e9 / Double(rate)
        let start = monotonicTime() + 1_000_000
        var sent = 0
        var due = start
        generator.recorder = recorder
        generator.bench.isSpinning = true
        defer {
            generator.recorder = nil
            generator.bench.isSpinning = false
        }
        try generator.bench.run(until: "every push led to a RELOAD", within: seconds + 10) {
            let now = monotonicTime()
            if sent < count && now >= due {
                repeat {
                    generator.sendStamped(connection, frames, recorder, target: sent % devices, due)
                    sent += 1
                    due = start + Int64(Double(sent) * interval)
                } while sent < count && now >= due
                connection.tcp.flush()
            }
            return recorder.times.count == count
        }
        try side.waitForAcknowledgements()
        return recorder
    }
}

/// Knows when each push was due, and takes the time when its RELOAD comes.
final class LatencyRecorder {
    /// Nanoseconds from due to received.
    private(set) var times: [Int64] = []
    /// When the last push to each device was due.
    private var due: [Int64]
    /// The RELOAD itself says when its push was due, in the body's first eight bytes.
    let isStamped: Bool
    private var now: Int64 = 0

    init(devices: Int, count: Int, isStamped: Bool) {
        due = Array(repeating: 0, count: devices)
        self.isStamped = isStamped
        times.reserveCapacity(count)
    }

    func sent(to device: Int, due time: Int64) {
        due[device] = time
    }

    func beginRead() {
        now = monotonicTime()
    }

    func received(_ reload: ByteView) {
        if isStamped {
            let stamp = Int64(bitPattern: reload.word(at: FrameHeader.byteCount))
            times.append(now - stamp)
            return
        }
        // {"device":"d-000123",…
        var device = 0
        let digits = FrameHeader.byteCount + 13
        for offset in digits..<digits + 6 { device = device * 10 + Int(reload[offset] & 15) }
        times.append(now - due[device])
    }

    /// The time within which this part of the pushes arrived, in ns.
    func percentile(_ part: Double) -> Double {
        if times.isEmpty { return .nan }
        let sorted = times.sorted()
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
    }
}

extension LoadGenerator {
    /// Writes one push to the output, without flushing.
    func sendStamped(
        _ connection: LoadGeneratorConnection,
        _ frames: LoadGeneratorFrames,
        _ recorder: LatencyRecorder,
        target: Int,
        _ due: Int64
    ) {
        var targets = LoadGeneratorTargets.every(1, from: target)
        unsafe connection.tcp.withOutput(frames.frameBytes) { memory in
            let count = unsafe frames.write(1, from: connection.sent + 1, &targets, to: memory)
            if recorder.isStamped {
                unsafe memory.storeBytes(
                    of: due,
                    toByteOffset: FrameHeader.byteCount,
                    as: Int64.self
                )
            }
            return count
        }
        connection.sent += 1
        connection.limit = connection.sent
        recorder.sent(to: target, due: due)
        countSent(1)
    }
}
