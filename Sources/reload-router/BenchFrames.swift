import ArgumentParser
import FrameCodec

struct BenchFrames: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames",
        abstract: "Frames taken in, checked and acknowledged, pipelined over connections.",
        discussion: """
            The router scans each push as JSON and finds that nobody is concerned; the reference \
            reads the header only.
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
            "Most unacknowledged frames of a connection; fewer of each if there are many.",
            valueName: "frames"
        )
    )
    var window = 8_192

    func run() throws {
        let bench = try BenchLoop()
        let router = try BenchSide.router(bench)
        defer { router.stop() }
        let reference = try BenchSide.reference(bench, .acknowledge)
        defer { reference.stop() }
        var report = BenchReport(json: options.json)
        for count in connections {
            try measure([router, reference], count, &report)
        }
        report.print()
    }

    private func measure(
        _ sides: [BenchSide],
        _ count: Int,
        _ report: inout BenchReport
    ) throws {
        let frames = LoadGeneratorFrames.pushes(BenchApp.strangePush)
        // All of the router's window, unless so many connections would hold the memory for it.
        let window = min(window, max(1_024, 131_072 / count))
        for side in sides {
            let all = try side.generator.connect(count, as: .publisher, window: window) {
                "frames-\(count)-\($0)"
            }
            for index in all { side.generator.start(index, frames, .first, count: 0) }
            _ = try side.pushWindow(all, subscribers: 0..<0, seconds: options.seconds / 3)
        }
        let results = try options.alternate(sides) { side in
            try side.pushWindow(0..<count, subscribers: 0..<0, seconds: options.seconds)
        }
        for side in sides { try side.generator.closeAll() }
        report.add(
            "frames.\(count).rate",
            results[0].rate,
            "frames/s",
            reference: results[1].rate
        )
        report.add(
            "frames.\(count).cpu",
            results[0].cpu,
            "ns/frame",
            reference: results[1].cpu,
            aim: .ratio(1.25)
        )
    }
}
