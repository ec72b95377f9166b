import ArgumentParser
import FrameCodec
import LoadReporting

/// `bench frames`: measures frames that are received and acknowledged, pipelined over connections.
struct BenchFrames: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames",
        abstract: "Frames accepted and acknowledged, pipelined over connections.",
        discussion: """
            Two rows for each number of connections. The first compares like with like: pushes \
            that the producer has sent before are framed, recognised and acknowledged, but not \
            parsed, as in the reference. In the rows named checked the router also scans each push \
            as strict JSON and finds that it matches no widget; the reference still reads only the \
            header.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Numbers of connections to measure.", valueName: "count")
    )
    var connections = [1, 16, 256]

    @Option(
        help: ArgumentHelp(
            "Maximum of unacknowledged frames per connection; lower if there are many connections.",
            valueName: "frames"
        )
    )
    var window = 8_192

    func validate() throws {
        try checkNumbers(connections, within: 1...20_000, of: "--connections")
        try checkNumbers([window], within: 1...BenchPublishers.windowLimit, of: "--window")
    }

    func run() throws {
        let bench = try BenchLoop()
        let router = try BenchSide.router(bench)
        defer { router.stop() }
        let reference = try BenchSide.reference(bench, running: .acknowledge)
        defer { reference.stop() }
        var report = BenchReport(json: options.json)
        for count in connections {
            try measure([router, reference], connections: count, isChecked: false, into: &report)
            try measure([router, reference], connections: count, isChecked: true, into: &report)
        }
        report.print()
    }

    private func measure(
        _ sides: [BenchSide],
        connections count: Int,
        isChecked: Bool,
        into report: inout BenchReport
    ) throws {
        let row = isChecked ? "frames.\(count).checked" : "frames.\(count)"
        for side in sides {
            try Self.prepare(
                side,
                connections: count,
                window: window,
                isChecked: isChecked,
                row: row,
                seconds: options.seconds / 3
            )
        }
        let results = try options.alternate(sides) { side in
            try side.pushWindow(0..<count, subscribers: 0..<0, seconds: options.seconds)
        }
        for side in sides { try side.generator.closeAll() }
        let (ours, theirs) = (results[0], results[1])
        report.add(row + ".rate", value: ours.rate, unit: "frames/s", reference: theirs.rate)
        if isChecked {
            report.add(row + ".cpu", value: ours.cpu, unit: "ns/frame", reference: theirs.cpu)
        } else {
            report.add(
                row + ".cpu",
                value: ours.cpu,
                unit: "ns/frame",
                reference: theirs.cpu,
                aim: .ratio(1.25)
            )
        }
    }

    /// Connects publishers and lets them push for a while.
    ///
    /// - Parameters:
    ///   - side: the server.
    ///   - count: the number of publishers.
    ///   - window: the most unacknowledged frames of each.
    ///   - isChecked: whether the router is to scan each push; otherwise it takes it for a
    ///     repetition.
    ///   - row: begins the producers' names.
    ///   - seconds: how long to push.
    /// - Throws: any error that keeps the benchmark from running.
    static func prepare(
        _ side: BenchSide,
        connections count: Int,
        window: Int,
        isChecked: Bool,
        row: String,
        seconds: Double
    ) throws {
        let frames = LoadGeneratorFrames.pushes(BenchApp.unmatchedPush)
        // The window asked for, but less with many connections, to limit the memory.
        let window = min(window, max(1_024, 131_072 / count))
        if !isChecked { try sendLast(side, connections: count, frames: frames, row: row) }
        let all = try side.generator.connect(count, as: .publisher, window: window) {
            "\(row)-\($0)"
        }
        for index in all { side.generator.start(index, sending: frames, to: .first, count: 0) }
        _ = try side.pushWindow(all, subscribers: 0..<0, seconds: seconds)
    }

    /// Makes the producers of a row send one push with a very high number, so that the router takes
    /// all later ones for repetitions.
    private static func sendLast(
        _ side: BenchSide,
        connections count: Int,
        frames: LoadGeneratorFrames,
        row: String
    ) throws {
        let all = try side.generator.connect(count, as: .publisher) { "\(row)-\($0)" }
        for index in all { side.generator.sendLast(index, frames: frames) }
        try side.waitForAcknowledgements()
        try side.generator.closeAll()
    }
}
