import ArgumentParser
import FrameCodec
import LoadReporting

/// `bench memory`: measures the router's resident bytes per stored widget.
struct BenchMemory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Resident bytes of the router per stored widget."
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of widgets, each with a configuration of its own.")
    var widgets = 1_000_000

    @Option(help: "Number of devices that the widgets are on.")
    var devices = 100_000

    func validate() throws {
        _ = try BenchPopulation.make(widgets: widgets, devices: devices)
    }

    func run() throws {
        let population = try BenchPopulation.make(widgets: widgets, devices: devices)
        let bench = try BenchLoop()
        let router = try BenchSide.router(bench)
        defer { router.stop() }
        let gateways = try router.generator.connect(64, as: .gateway)
        let stored = try population.register(router, through: gateways)
        var windows = BenchWindows()
        windows.add(stored.window)
        var report = BenchReport(json: options.json)
        report.add(
            "memory.widget",
            value: stored.bytesPerWidget,
            unit: "bytes/widget",
            aim: .value(250)
        )
        report.add("memory.register.cpu", value: windows.cpu, unit: "ns/widget")
        report.add("memory.register.rate", value: windows.rate, unit: "widgets/s")
        report.print()
    }
}
