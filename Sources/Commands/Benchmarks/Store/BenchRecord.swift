import ArgumentParser
import Basics
import LoadReporting

/// `bench record`: measures what a recording of all inputs costs, by pushes with and without it.
struct BenchRecord: Benchmark {
    static let plan = BenchPlan(
        name: "record",
        what: "what recording costs a push",
        aim: "reported",
        discussion: """
            The pushes are those of `bench route`: each matches one of many widgets. `off` is a \
            router that records nothing, and the reference of `on`, which records, and of \
            `redacted`, which hashes values; the windows of the three alternate. `cpu` is the \
            whole process, `loop` the thread of its event loop, and `rest` its other threads: the \
            one that compresses and writes. `bytes` is the disk space per push.
            """,
        arguments: "--widgets 100000 --devices 10000",
        quick: "--seconds 0.1 --widgets 1000 --devices 100"
    )

    @OptionGroup var options: BenchOptions
    @OptionGroup var stored: BenchWidgets
    @OptionGroup var publishers: BenchPublishers

    func measure(_ run: BenchRun) throws {
        let folders = try (0..<2).map { _ in try BenchFolder(in: options.folder) }
        defer {
            run.stopServers()
            for folder in folders { folder.delete("capture") }
        }
        let flags = [
            [], ["--record", folders[0]("capture")],
            ["--record", folders[1]("capture"), "--redact"],
        ]
        let sides = try flags.map { try run.router(flags: $0) }
        let loads = try sides.map {
            try publishers.start($0, population: stored.population, seconds: run.seconds)
        }
        let before = (folders[0].byteCount(of: ""), sides[1].generator.acknowledged)
        let windows = try run.alternate(loads) { try $0(run.seconds) }
        let pushes = sides[1].generator.acknowledged - before.1
        // The recorder writes the last chunk within a second.
        try run.bench.run(for: .seconds(2))
        let bytes = folders[0].byteCount(of: "") - before.0
        run.addPushes("off", of: [windows[0]])
        for (row, result) in [("on", windows[1]), ("redacted", windows[2])] {
            run.addPushes(row, of: [result, windows[0]])
            let rest = { (windows: [BenchWindow]) in windows.cpu - windows.loop }
            run.add("\(row).rest", of: [result, windows[0]], as: rest, unit: "ns/push")
        }
        run.add("bytes", value: Double(bytes) / Double(max(1, pushes)), unit: "bytes/push")
    }
}
