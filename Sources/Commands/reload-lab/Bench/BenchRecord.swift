import ArgumentParser
import FrameCodec
import LoadReporting
import Times

/// `bench record`: measures what a recording of all inputs costs, by pushes with and without it.
struct BenchRecord: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Cost of recording all inputs: pushes with and without a recording.",
        discussion: """
            The pushes are those of `bench route`: each matches one of many widgets. `off` is a \
            router that records nothing, and the reference of `on`, which records, and of \
            `redacted`, which hashes values; the windows of the three alternate. `cpu` is the \
            whole process, `loop` the thread of its event loop, and `rest` its other threads: the \
            one that compresses and writes. `overhead` is the cost of `on` beyond `off`, and \
            `bytes` is the disk space per push.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of widgets, each with a configuration of its own.")
    var widgets = 100_000

    @Option(help: "Number of devices that the widgets are on.")
    var devices = 10_000

    @OptionGroup var publishers: BenchPublishers

    @Option(
        help: ArgumentHelp("Folder for the recording, on the disk to measure."),
        completion: .directory
    )
    var folder = "/var/tmp"

    func validate() throws {
        _ = try BenchPopulation.make(widgets: widgets, devices: devices)
    }

    func run() throws {
        let population = try BenchPopulation.make(widgets: widgets, devices: devices)
        let folder = try BenchFolder(in: folder)
        let bench = try BenchLoop()
        let recording = folder("on.capture")
        let redacted = folder("redacted.capture")
        let sides = try [
            start(bench, population: population, flags: []),
            start(bench, population: population, flags: ["--record", recording]),
            start(bench, population: population, flags: ["--record", redacted, "--redact"]),
        ]
        defer { for side in sides { side.side.stop() } }
        let before = folder.byteCount(startingWith: "on")
        let pushesBefore = sides[1].side.generator.acknowledged
        var results = sides.map { _ in BenchPushWindows() }
        for _ in 0..<options.windows {
            for (index, side) in sides.enumerated() {
                results[index].add(try side.push(options.seconds))
            }
        }
        let pushes = sides[1].side.generator.acknowledged - pushesBefore
        // The recorder writes the last chunk within a second.
        try bench.run(for: .seconds(2))
        let byteCount = folder.byteCount(startingWith: "on") - before
        report(results, bytesPerPush: Double(byteCount) / Double(max(1, pushes)))
    }

    private func start(
        _ bench: BenchLoop,
        population: BenchPopulation,
        flags: [String]
    ) throws -> BenchPushSide {
        let side = try BenchSide.router(bench, flags: flags)
        return try BenchPushSide(
            side,
            population: population,
            publishers: publishers,
            seconds: options.seconds
        )
    }

    private func report(_ results: [BenchPushWindows], bytesPerPush: Double) {
        var report = BenchReport(json: options.json)
        let off = results[0]
        report.add("record.off.rate", value: off.windows.rate, unit: "pushes/s")
        report.add("record.off.cpu", value: off.windows.cpu, unit: "ns/push")
        report.add("record.off.loop", value: off.loop, unit: "ns/push")
        for (name, result) in [("on", results[1]), ("redacted", results[2])] {
            report.add(
                "record.\(name).rate",
                value: result.windows.rate,
                unit: "pushes/s",
                reference: off.windows.rate
            )
            report.add(
                "record.\(name).cpu",
                value: result.windows.cpu,
                unit: "ns/push",
                reference: off.windows.cpu
            )
            report.add(
                "record.\(name).loop",
                value: result.loop,
                unit: "ns/push",
                reference: off.loop
            )
            report.add(
                "record.\(name).rest",
                value: result.windows.cpu - result.loop,
                unit: "ns/push",
                reference: off.windows.cpu - off.loop
            )
        }
        let overhead = results[1].windows.cpu - off.windows.cpu
        report.add("record.overhead", value: overhead, unit: "ns/push")
        report.add("record.bytes", value: bytesPerPush, unit: "bytes/push")
        report.print()
    }
}
