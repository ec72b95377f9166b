import ArgumentParser
import CommandSupport
import FrameCodec
import LibuvLoop
import LoadReporting
import Platform
import Times

/// `bench fanout`: measures a push that reloads many devices, each on its own connection.
struct BenchFanout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fanout",
        abstract: "One push at a time that matches many devices, each on its own connection.",
        discussion: "The reference writes the same number of bytes to each connection."
    )

    @OptionGroup var options: BenchOptions

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Numbers of devices to measure.", valueName: "count")
    )
    var devices = [1_000, 9_900]

    func validate() throws {
        // The name of a device has six digits.
        try checkNumbers(devices, within: 1...1_000_000, of: "--devices")
    }

    func run() throws {
        // The connections of both servers are open at once.
        let most = (raiseFileDescriptorLimit() - 64) / 2
        var report = BenchReport(json: options.json)
        for wanted in devices {
            if wanted > most {
                writeStandardError("\(wanted) devices: the system allows \(most) connections\n")
            }
            let bench = try BenchLoop()
            let router = try BenchSide.router(bench)
            defer { router.stop() }
            let reference = try BenchSide.reference(bench, running: .fanout)
            defer { reference.stop() }
            try measure([router, reference], devices: min(wanted, most), into: &report)
        }
        report.print()
    }

    private func measure(
        _ sides: [BenchSide],
        devices count: Int,
        into report: inout BenchReport
    ) throws {
        for side in sides { try Self.prepare(side, devices: count, options: options) }
        let results = try options.alternate(sides) { side in
            try Self.rounds(side, devices: count, seconds: options.seconds)
        }
        report.add(
            "fanout.\(count).cpu",
            value: results[0].cpu,
            unit: "ns/delivery",
            reference: results[1].cpu,
            aim: .ratio(1.15)
        )
        report.add(
            "fanout.\(count).last",
            value: results[0].time,
            unit: "µs to the last",
            reference: results[1].time
        )
    }

    /// Connects the devices and a publisher, and pushes for a while.
    static func prepare(_ side: BenchSide, devices count: Int, options: BenchOptions) throws {
        let subscribers = try side.generator.connect(count, as: .device) { index in
            "d-" + String(String(1_000_000 + index).dropFirst())
        }
        if side.generator.wire == .router { try register(side, devices: subscribers) }
        let publisher = try side.generator.connect(1, as: .publisher) { _ in "fanout" }
        side.generator.start(
            publisher.lowerBound,
            sending: .pushes(BenchApp.topicPush),
            to: .first,
            count: 0
        )
        _ = try rounds(side, devices: count, seconds: options.seconds / 3)
    }

    private static func register(_ side: BenchSide, devices: Range<Int>) throws {
        let frames = LoadGeneratorFrames.widgets(
            kind: BenchApp.topic,
            configuration: BenchApp.topicWidget,
            perDevice: 1
        )
        for index in devices {
            side.generator.start(
                index,
                sending: frames,
                to: .every(1, from: index - devices.lowerBound),
                count: 1
            )
        }
        try side.waitForAcknowledgements()
    }

    /// Pushes, waits for the ACK and for the RELOAD of every device, and pushes again, until the
    /// time is over.
    static func rounds(
        _ side: BenchSide,
        devices count: Int,
        seconds: Double
    ) throws -> BenchWindow {
        let generator = side.generator
        assert(generator.connections.count == count + 1, "the publisher is not the last")
        let end = ExactTime.now + Nanoseconds(seconds: seconds)
        var times: [Double] = []
        var start = ExactTime.none
        func push() {
            assert(generator.unacknowledged == 0, "the push before is not acknowledged")
            generator.goalTime = nil
            generator.reloadGoal = generator.reloads + count
            start = ExactTime.now
            generator.resume(count, count: 1)
        }
        var window = try side.measure {
            push()
            try generator.bench.run(until: "every device got its RELOAD", within: seconds + 30) {
                guard let goalTime = generator.goalTime, generator.unacknowledged == 0 else {
                    return false
                }
                times.append((goalTime - start).inNanoseconds)
                if ExactTime.now >= end { return true }
                push()
                return false
            }
            return times.count * count
        }
        window.median = Nanoseconds(rawValue: Int64(median(times)))
        return window
    }
}
