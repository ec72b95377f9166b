import ArgumentParser
import Basics
import CommandSupport
import DurableStore
import FrameCodec
import Glibc
import LoadReporting
import Platform

/// `bench store`: measures pushes whose ACK waits for the disk, next to the store's engine alone.
struct BenchStore: Benchmark {
    static let plan = BenchPlan(
        name: "store",
        what: "pushes whose ACK waits for the disk",
        aim: "70 % of the engine, 1.6 µs CPU",
        discussion: """
            The pushes are those of `bench route`: each matches one of many widgets. `full`, `os` \
            and `none` are the durabilities, `memory` is a router without a store; `full.share` is \
            the rate of `full` as a share of that of `memory`.

            The reference of `full` is `engine`: RocksDB as it is used without a router, with a \
            record for each push, and batches of the same size and the same bytes as the router \
            synced, one batch after the other on one thread of this process. (That is `db_bench \
            --benchmarks=fillseq --sync --batch_size=N`.) It neither reads pushes from sockets nor \
            matches them, and the router writes fewer records: it makes one of everything that \
            gathers while the disk works.

            `sustained` is one long window in which checkpoints are written, as `serve` does; in \
            the other windows there is none. `loop` is the CPU time of the event loop's thread. \
            The time to an ACK and to a RELOAD counts from when the push was due, as in `bench \
            route`; its reference keeps everything in memory. The figures depend on the disk: \
            `disk` is an fdatasync of 4 KB.
            """,
        quick: "--seconds 0.05 --widgets 1000 --devices 100 --rate 100"
    )

    @OptionGroup var options: BenchOptions
    @OptionGroup var stored: BenchWidgets
    @OptionGroup var publishers: BenchPublishers

    @Option(help: "Pushes per second for the times.", of: "pushes")
    var rate = 10_000

    func validate() throws { try checkNumbers([rate], within: 1...stored.devices, of: "--rate") }

    func measure(_ run: BenchRun) throws {
        let disk = try measureDisk(run.folder()("disk"), count: 500)
        run.add("disk.p50", value: quantile(0.5, of: disk) / 1_000, unit: "µs")
        run.add("disk.p99", value: quantile(0.99, of: disk) / 1_000, unit: "µs")
        try measurePushes(run)
        run.stopServers()
        try measureSustained(run)
        run.stopServers()
        try measureTimes(run)
    }

    // MARK: - Pushes

    private func measurePushes(_ run: BenchRun) throws {
        let (folder, population) = (try run.folder(), try stored.population)
        // No checkpoint is written: the journal contains all pushes, and only its cost is measured.
        let durabilities: [(String, Durability?)] = [
            ("full", .full), ("os", .os), ("none", Durability.none), ("memory", nil),
        ]
        let sides = try durabilities.map { name, durability in
            let store = durability.map {
                BenchStoreSettings(
                    folder: folder(name),
                    durability: $0,
                    checkpointAfter: BenchStoreSettings.noCheckpoint
                )
            }
            let side = try run.router(store: store ?? .memory)
            let push = try publishers.start(side, population: population, seconds: run.seconds)
            return (name: name, push: push)
        }
        var engine = EngineWindows()
        var position = try StoreStatistics(path: folder("full")).lastPosition
        let results = try run.alternate(sides) { side in
            let window = try side.push(run.seconds)
            if side.name == "full" {
                let journal = try BenchJournal(folder("full"), after: position)
                position = journal.position
                try engine.add(journal, of: window, in: folder)
            }
            return window
        }
        let (full, memory) = (results[0], results[3])
        let ours = [full, engine.puts]
        run.add("full.rate", of: ours, as: \.rate, unit: "pushes/s", aim: .share(0.7))
        run.add("full.cpu", of: ours, as: \.cpu, unit: "ns/push", aim: .value(1_600))
        run.add("full.loop", of: [full, memory], as: \.loop, unit: "ns/push")
        run.add("full.share", value: 100 * full.rate / memory.rate, unit: "% of memory")
        for (side, windows) in zip(sides, results).dropFirst() {
            run.addPushes(side.name, of: [windows])
        }
        engine.report(run)
    }

    // MARK: - Checkpoints

    private func measureSustained(_ run: BenchRun) throws {
        let folder = try run.folder()
        let store = BenchStoreSettings(folder: folder("sustained"))
        let side = try run.router(store: store, log: folder("log"))
        let seconds = run.seconds
        let push = try publishers.start(side, population: stored.population, seconds: seconds)
        let before = BenchCheckpoints(folder.text("log")).sealed
        let windows = [try push(seconds * 10)]
        let after = BenchCheckpoints(folder.text("log")).sealed
        run.addPushes("sustained", of: [windows], aim: .value(1_600))
        run.add("sustained.checkpoints", value: Double(after - before), unit: "written")
    }

    // MARK: - Times

    private func measureTimes(_ run: BenchRun) throws {
        let folder = try run.folder()
        let population = try BenchPopulation(widgets: stored.devices, devices: stored.devices)
        let stores = [BenchStoreSettings(folder: folder("times")), .memory]
        let sides = try stores.map { store in
            let side = try run.router(store: store)
            try population.register(side)
            return side
        }
        let times = try run.pushTimes(sides, population: population, rate: rate)
        run.add("ack", of: times, times: \.acknowledgements)
        run.add("reload", of: times, times: \.reloads)
    }
}

/// Measures the disk alone: how long each of `count` durable writes of 4 KB took.
func measureDisk(_ path: String, count: Int) throws -> [Nanoseconds] {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if file < 0 { throw BenchFailure("\(path) cannot be written") }
    defer {
        close(file)
        unsafe _ = unlink(path)
    }
    let block = [UInt8](repeating: 0x5a, count: 4_096)
    var times: [Nanoseconds] = []
    for _ in 0..<count {
        let start = ExactTime.now
        let isWritten = unsafe write(file, block, block.count) == block.count
        if !isWritten || fdatasync(file) != 0 { throw BenchFailure("\(path) cannot be written") }
        times.append(ExactTime.now - start)
    }
    return times
}
