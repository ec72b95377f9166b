import ArgumentParser
import DurableStore
import FrameCodec
import LoadReporting

/// `bench store`: measures pushes whose ACK waits for the disk, next to the store's engine alone.
struct BenchStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Pushes whose ACK waits for the disk, beside the store's engine alone.",
        discussion: """
            The pushes are those of `bench route`: each matches one of many widgets. `full`, `os` \
            and `none` are the durabilities, `memory` is a router without a store; `full.share` is \
            the rate of `full` as a share of that of `memory`.

            The reference of `full` is `engine`: RocksDB as it is used without a router, with a \
            record for each push, and batches of the same size and the same bytes as the router \
            synced, one batch after the other on one thread of this process. (That is `db_bench \
            --benchmarks=fillseq --sync --batch_size=N`.) It neither reads pushes from sockets nor \
            matches them. `engine.pieces` is the same with the router's own records: it makes one \
            record of everything that gathers while the disk works. So that is the limit of disk \
            and engine, and no reference: the router writes fewer records.

            `sustained` is one long window in which checkpoints are written, as `serve` does; in \
            the other windows there is none. `loop` is the CPU time of the event loop's thread. \
            The time to an ACK and to a RELOAD counts from when the push was due, as in `bench \
            latency`; its reference keeps everything in memory. The figures depend on the disk: \
            `disk` is an fdatasync of 4 KB.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of widgets, each with a configuration of its own.")
    var widgets = 1_000_000

    @Option(help: "Number of devices that the widgets are on; for latencies, each with one widget.")
    var devices = 100_000

    @OptionGroup var publishers: BenchPublishers

    @Option(help: ArgumentHelp("Pushes per second for the latencies.", valueName: "pushes"))
    var rate = 10_000

    @Option(
        help: ArgumentHelp("Folder for the stores, on the disk to measure."),
        completion: .directory
    )
    var folder = "/var/tmp"

    /// The parts of the benchmark, which can be run apart.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case pushes
        case sustained
        case times
    }

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Parts to measure.", valueName: "part")
    )
    var parts = Part.allCases

    func validate() throws {
        for (name, value) in [("widgets", widgets), ("devices", devices)] where value < 1 {
            throw ValidationError("--\(name) is \(value); it must be at least 1")
        }
        if !(1...devices).contains(rate) {
            throw ValidationError("--rate is \(rate); it must be from 1 to \(devices), the devices")
        }
        _ = try BenchPopulation.make(widgets: widgets, devices: devices)
    }

    func run() throws {
        let folder = try BenchFolder(in: folder)
        var report = BenchReport(json: options.json)
        let disk = try measureDisk(folder("disk"), count: 500)
        report.add("store.disk.p50", value: quantile(0.5, of: disk) / 1_000, unit: "µs")
        report.add("store.disk.p99", value: quantile(0.99, of: disk) / 1_000, unit: "µs")
        if parts.contains(.pushes) { try measurePushes(folder, into: &report) }
        if parts.contains(.sustained) { try measureSustained(folder, into: &report) }
        if parts.contains(.times) { try measureTimes(folder, into: &report) }
        report.print()
    }

    // MARK: - Pushes

    /// Starts a router, registers the widgets, and connects publishers, which pause.
    private func start(
        _ bench: BenchLoop,
        store: BenchStoreSettings,
        population: BenchPopulation,
        log: String? = nil
    ) throws -> BenchPushSide {
        let side = try BenchSide.router(bench, store: store, log: log)
        return try BenchPushSide(
            side,
            population: population,
            publishers: publishers,
            seconds: options.seconds
        )
    }

    private func measurePushes(_ folder: BenchFolder, into report: inout BenchReport) throws {
        let population = try BenchPopulation.make(widgets: widgets, devices: devices)
        let bench = try BenchLoop()
        let path = folder("full")
        // No checkpoint is written: the journal contains all pushes, and only its cost is measured.
        let sides = try [
            ("full", BenchStoreSettings(folder: path, checkpointAfter: 1 << 40)),
            (
                "os",
                BenchStoreSettings(folder: folder("os"), durability: .os, checkpointAfter: 1 << 40)
            ),
            (
                "none",
                BenchStoreSettings(
                    folder: folder("none"),
                    durability: .none,
                    checkpointAfter: 1 << 40
                )
            ),
            ("memory", .memory),
        ].map { (name, store) in (name, try start(bench, store: store, population: population)) }
        defer { for (_, side) in sides { side.side.stop() } }

        var results = sides.map { _ in BenchPushWindows() }
        var engine = BenchEngineWindows()
        var position = try StoreStatistics(path: path).lastPosition
        for _ in 0..<options.windows {
            for (index, (name, side)) in sides.enumerated() {
                let window = try side.push(options.seconds)
                results[index].add(window)
                if name != "full" { continue }
                let journal = try BenchJournal(path, after: position)
                position = journal.position
                try engine.add(journal, of: window.window, in: folder)
            }
        }
        reportFull(results[0], engine: engine, memory: results[3], into: &report)
        for ((name, _), result) in zip(sides, results).dropFirst() {
            report.add("store.\(name).rate", value: result.windows.rate, unit: "pushes/s")
            report.add("store.\(name).cpu", value: result.windows.cpu, unit: "ns/push")
            report.add("store.\(name).loop", value: result.loop, unit: "ns/push")
        }
        engine.report(&report)
    }

    private func reportFull(
        _ full: BenchPushWindows,
        engine: BenchEngineWindows,
        memory: BenchPushWindows,
        into report: inout BenchReport
    ) {
        report.add(
            "store.full.rate",
            value: full.windows.rate,
            unit: "pushes/s",
            reference: engine.puts.rate,
            aim: .share(0.7)
        )
        report.add(
            "store.full.cpu",
            value: full.windows.cpu,
            unit: "ns/push",
            reference: engine.puts.cpu,
            aim: .value(1_600)
        )
        report.add("store.full.loop", value: full.loop, unit: "ns/push", reference: memory.loop)
        let share = 100 * full.windows.rate / memory.windows.rate
        report.add("store.full.share", value: share, unit: "% of memory")
    }

    // MARK: - Checkpoints

    private func measureSustained(_ folder: BenchFolder, into report: inout BenchReport) throws {
        let population = try BenchPopulation.make(widgets: widgets, devices: devices)
        let store = BenchStoreSettings(folder: folder("sustained"))
        let side = try start(BenchLoop(), store: store, population: population, log: folder("log"))
        defer { side.side.stop() }
        let before = BenchCheckpoints(folder.text("log")).sealed
        var result = BenchPushWindows()
        result.add(try side.push(options.seconds * 10))
        let after = BenchCheckpoints(folder.text("log")).sealed
        report.add("store.sustained.rate", value: result.windows.rate, unit: "pushes/s")
        report.add(
            "store.sustained.cpu",
            value: result.windows.cpu,
            unit: "ns/push",
            aim: .value(1_600)
        )
        report.add("store.sustained.loop", value: result.loop, unit: "ns/push")
        report.add("store.sustained.checkpoints", value: Double(after - before), unit: "written")
    }

    // MARK: - Times

    private func measureTimes(_ folder: BenchFolder, into report: inout BenchReport) throws {
        let population = try BenchPopulation.make(widgets: devices, devices: devices)
        let bench = try BenchLoop()
        let sides = try [BenchStoreSettings(folder: folder("times")), .memory].map { store in
            let side = try BenchSide.router(bench, store: store)
            let gateways = try side.generator.connect(BenchPushSide.gatewayCount, as: .gateway)
            _ = try population.register(side, through: gateways)
            _ = try side.generator.connect(1, as: .publisher) { _ in "times" }
            _ = try measureTimes(side, seconds: options.seconds)
            return side
        }
        defer { for side in sides { side.stop() } }
        var recorders: [[LatencyRecorder]] = [[], []]
        for _ in 0..<options.windows {
            for (index, side) in sides.enumerated() {
                recorders[index].append(try measureTimes(side, seconds: options.seconds * 5))
            }
        }
        for (what, times) in [
            ("ack", \LatencyRecorder.acknowledgements), ("reload", \LatencyRecorder.times),
        ] {
            for (name, point) in [("p50", 0.5), ("p99", 0.99)] {
                let values = recorders.map { side in
                    median(side.map { quantile(point, of: $0[keyPath: times]) / 1_000 })
                }
                report.add(
                    "store.\(what).\(name)",
                    value: values[0],
                    unit: "µs",
                    reference: values[1]
                )
            }
        }
    }

    private func measureTimes(_ side: BenchSide, seconds: Double) throws -> LatencyRecorder {
        try side.pushByTheClock(
            side.generator.connections[BenchPushSide.gatewayCount],
            rate: rate,
            devices: devices,
            seconds: seconds
        )
    }
}
