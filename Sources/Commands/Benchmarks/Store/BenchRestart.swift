import ArgumentParser
import Basics
import CommandSupport
import DurableStore
import FrameCodec
import LoadReporting
import Platform

/// `bench restart`: measures the start of a router on a full store, until it listens.
struct BenchRestart: Benchmark {
    static let plan = BenchPlan(
        name: "restart",
        what: "a start on a store of 1,000,000 widgets",
        aim: "10 s for ten million",
        discussion: """
            A router registers all widgets, writes no checkpoint and is killed. The next one \
            follows that journal (`replay`), and writes a checkpoint of everything while it \
            receives pushes at a fixed rate; a PING each ms measures how long it does not answer \
            (`block`, the longest; the reference is the same before the checkpoint; `turn` is the \
            longest tick of its loop, as the router reports it). After as many more pushes as \
            `--tail` sets, it is killed, too. The measured start follows: until the router reports \
            that it listens.

            A part of `time` and of `cpu.system` is the memory that any router of that size needs: \
            on a virtual machine the host supplies each page when it is first touched. The \
            reference of both is a process that touches as many bytes as the router has resident, \
            each page once, and does nothing else. It is a new process each time, started like the \
            router right after another one has ended.
            """,
        quick: "--widgets 2000 --tail 1000"
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of widgets, each with a configuration of its own.")
    var widgets = 1_000_000

    @Option(help: "Number of widgets of each device.", of: "widgets")
    var widgetsPerDevice = 1

    @Option(help: "Pushes per second during the checkpoint.", of: "pushes")
    var rate = 10_000

    @Option(help: "Number of pushes after the checkpoint.", of: "pushes")
    var tail = 500_000

    func validate() throws {
        try checkNumbers([widgets], within: 1...50_000_000, of: "--widgets")
        try checkNumbers([rate], within: 1...100_000, of: "--rate")
        try checkNumbers([tail], within: 0...1_000_000_000, of: "--tail")
        if !(1...256).contains(widgetsPerDevice) || widgets % widgetsPerDevice != 0 {
            throw ValidationError(
                "--widgets-per-device is \(widgetsPerDevice); it must be from 1 to 256 and divide "
                    + "\(widgets), the widgets"
            )
        }
    }

    func measure(_ run: BenchRun) throws {
        try register(run)
        let journal = try replay(run)
        try checkpoint(run, after: journal + 1 << 20)
        try restart(run)
    }

    // MARK: - Routers

    private static var store: String { "store" }
    private static var log: String { "log" }

    /// Starts a router on the store for some time, with a new log, and kills it. It writes a
    /// checkpoint after `checkpointAfter` bytes of journal.
    private func withRouter<Result>(
        _ run: BenchRun,
        durability: Durability = .full,
        checkpointAfter: Int = BenchStoreSettings.noCheckpoint,
        body: (BenchSide) throws -> Result
    ) throws -> Result {
        let folder = try run.folder()
        folder.delete(Self.log)
        let store = BenchStoreSettings(
            folder: folder(Self.store),
            durability: durability,
            checkpointAfter: checkpointAfter
        )
        let side = try run.router(store: store, log: folder(Self.log))
        defer {
            try? side.generator.closeAll()
            side.server.process.kill()
        }
        return try body(side)
    }

    /// Connects a publisher whose pushes match a widget each, whose names have eight digits.
    private func publisher(_ side: BenchSide, named name: String) throws -> Range<Int> {
        try side.publishers(1, named: name, sending: pushes, to: { _ in targets })
    }

    private var targets: LoadGeneratorTargets { .random(of: widgets, seed: 1) }

    private var pushes: LoadGeneratorFrames {
        let push = #"{"character":"character-########","event":"level-up","level":30,"#
        return .pushes(push + #""health":0.75,"guild":"guild-000204","at":1767225600000}"#)
    }

    private func perWidget(_ bytes: Int) -> Double { Double(bytes) / Double(widgets) }

    // MARK: - Making the store

    /// Lets a router register all widgets. Their names are as long as those of real apps.
    private func register(_ run: BenchRun) throws {
        let devices = widgets / widgetsPerDevice
        printProgress("registering \(widgets) widgets on \(devices) devices")
        try withRouter(run, durability: .os) { side in
            let frames = LoadGeneratorFrames.widgets(
                kind: BenchApp.character,
                configuration: #"{"character":"character-########"}"#,
                perDevice: widgetsPerDevice,
                device: "5b1f8a52-7c1e-4d0a-9e63-0000########",
                widget: "character-detail-########"
            )
            let gateways = try side.generator.connect(BenchPopulation.gateways, as: .gateway)
            try side.register(frames, devices: devices, through: gateways)
        }
    }

    /// Lets a router replay the journal that `register` has left, and returns its length in bytes.
    private func replay(_ run: BenchRun) throws -> Int {
        printProgress("following the journal")
        return try withRouter(run) { side in
            let process = side.server.process
            run.add("replay.time", value: process.startTime.inSeconds, unit: "s")
            run.add("replay.cpu", value: process.cpuTime.inSeconds, unit: "s")
            let bytes = BenchCheckpoints.number(
                "journalBytes",
                in: try run.folder().text(Self.log)[...]
            )
            if bytes == 0 { throw BenchFailure("the log does not say how long the journal was") }
            run.add("replay.journal", value: perWidget(bytes), unit: "bytes/widget")
            return bytes
        }
    }

    /// Lets a router write a checkpoint of everything under load, and pushes some more.
    private func checkpoint(_ run: BenchRun, after byteCount: Int) throws {
        try withRouter(run, checkpointAfter: byteCount) { side in
            let folder = try run.folder()
            let prober = try side.generator.connect(1, as: .gateway)
            let publisher = try publisher(side, named: "checkpoint")
            let load = try TimedPushes(
                side.generator,
                on: publisher,
                rate: rate,
                frames: pushes,
                targets: { _ in targets }
            )
            let probe = try PingProbe(side.generator, on: prober)
            let quietTime = Nanoseconds.seconds(2)
            try run.bench.run(for: quietTime)
            let quiet = try probe.longest(since: .none)
            printProgress("waiting for the checkpoint")
            // The measurement includes the start of the checkpoint, but nothing before it.
            var (next, begin) = (ExactTime.now, ExactTime.now)
            try run.bench.run(until: "the checkpoint was written", within: 1_200) {
                let now = ExactTime.now
                if now < next { return false }
                let checkpoints = BenchCheckpoints(folder.text(Self.log))
                if checkpoints.begun == 0 { begin = next - .milliseconds(40) }
                next = now + .milliseconds(20)
                return checkpoints.sealed > 0
            }
            // In this time the router deletes the journal that the checkpoint has made obsolete.
            try run.bench.run(for: quietTime)
            load.stop()
            let longest = try probe.longest(since: begin)
            probe.stop()
            let written = BenchCheckpoints(folder.text(Self.log))
            run.add(
                "checkpoint.block",
                value: longest,
                unit: "ms",
                reference: quiet,
                aim: .value(50)
            )
            let tick = Double(written.longestTickMicroseconds) / 1e3
            run.add("checkpoint.turn", value: tick, unit: "ms")
            run.add("checkpoint.time", value: Double(written.milliseconds) / 1e3, unit: "s")
            run.add("checkpoint.bytes", value: perWidget(written.byteCount), unit: "bytes/widget")
            side.generator.resume(publisher.lowerBound, count: tail)
            try side.waitForAcknowledgements(within: 600)
        }
    }

    // MARK: - The restart

    /// The costs of a start; times are in s.
    private struct Start {
        let time: Double
        let cpu: Double
        let user: Double
        let system: Double
        let residentBytes: Int
        /// The time and the CPU time in ns of a process that touches as many bytes once.
        var touch: [Double] = []
    }

    /// Starts routers on the store, one after the other, and reports medians.
    private func restart(_ run: BenchRun) throws {
        let disk = try StoreStatistics(path: run.folder()(Self.store)).fileByteCount
        let starts = try (0..<run.rounds).map { try start(run, round: $0) }
        func middle(_ value: (Start) -> Double) -> Double { median(starts.map(value)) }
        // The target: 10 s for ten million widgets.
        let aim = Double(widgets) / 1e6
        run.add(
            "time",
            value: middle { $0.time },
            unit: "s",
            reference: middle { $0.touch[0] / 1e9 },
            aim: aim >= 1 ? .value(aim) : nil
        )
        run.add("cpu", value: middle { $0.cpu }, unit: "s")
        run.add("cpu.user", value: middle { $0.user }, unit: "s")
        let touched = middle { $0.touch[1] / 1e9 }
        run.add("cpu.system", value: middle { $0.system }, unit: "s", reference: touched)
        run.add("memory", value: middle { perWidget($0.residentBytes) }, unit: "bytes/widget")
        run.add("disk", value: perWidget(Int(disk)), unit: "bytes/widget")
    }

    /// Starts a router, and then, for comparison, a process that writes to as much memory.
    ///
    /// Memory that was in use a moment ago costs less. So both start right after another process
    /// has ended that had as much.
    private func start(_ run: BenchRun, round: Int) throws -> Start {
        printProgress("starting")
        var start = try withRouter(run) { side in
            let process = side.server.process
            let (cpu, seconds) = (process.cpuTime.inSeconds, process.cpuSeconds)
            let resident = try process.residentBytes()
            try checkThatWidgetsAreThere(side, round: round)
            return Start(
                time: process.startTime.inSeconds,
                cpu: cpu,
                user: seconds.user,
                system: seconds.system,
                residentBytes: resident
            )
        }
        printProgress("touching memory")
        let process = try LabProcess.part(.touch, words: ["\(start.residentBytes)"])
        defer { process.stop() }
        start.touch = try process.numbers(2)
        return start
    }

    /// Checks that each of a thousand pushes matches one widget.
    private func checkThatWidgetsAreThere(_ side: BenchSide, round: Int) throws {
        let publisher = try publisher(side, named: "restart-\(round)")
        side.generator.resume(publisher.lowerBound, count: 1_000)
        try side.waitForAcknowledgements()
        if side.generator.matched != 1_000 {
            throw BenchFailure(
                "1000 pushes matched \(side.generator.matched) widgets after the restart; each "
                    + "must match one"
            )
        }
    }
}

/// The checkpoints that a router's log reports.
struct BenchCheckpoints {
    /// The number of checkpoints that were begun.
    private(set) var begun = 0
    /// The number of checkpoints that are complete on the disk.
    private(set) var sealed = 0
    /// The bytes written for the last complete one.
    private(set) var byteCount = 0
    /// How long the last complete one took, in ms.
    private(set) var milliseconds = 0
    /// The longest tick of the router's loop during the last complete one, in µs.
    private(set) var longestTickMicroseconds = 0

    init(_ log: String) {
        for line in log.split(separator: "\n") {
            if line.hasSuffix(" a checkpoint begins") {
                begun += 1
            } else if line.hasSuffix(" the checkpoint is on the disk") {
                sealed += 1
                byteCount = Self.number("bytes", in: line)
                milliseconds = Self.number("milliseconds", in: line)
                longestTickMicroseconds = Self.number("longestTickMicroseconds", in: line)
            }
        }
    }

    /// Returns a number from a log line's metadata; 0 if it is not there.
    static func number(_ name: String, in line: Substring) -> Int {
        let word = line.split(separator: " ").first { $0.hasPrefix("\(name)=") }
        return word.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
}
