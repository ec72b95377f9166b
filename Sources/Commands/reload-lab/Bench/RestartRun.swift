import DurableStore
import FrameCodec
import LoadReporting
import Platform
import Times

/// The steps of `bench restart`, each of which starts a router on the same store.
struct RestartRun {
    let folder: BenchFolder
    let population: RestartPopulation

    private static var store: String { "store" }
    private static var log: String { "log" }
    /// How long to measure PINGs without a checkpoint.
    private static var quietTime: Nanoseconds { .seconds(2) }
    /// The pushes per second until the checkpoint begins, if widgets are queued. It is high because
    /// the number of pushes that this takes is not known.
    private static var hurriedRate: Int { 100_000 }

    // MARK: - Making it

    /// Lets a router register all widgets, and kills it.
    func register() throws {
        printProgress("registering \(population.widgets) widgets on \(population.devices) devices")
        let side = try start(.os)
        defer { side.server.process.kill() }
        let gateways = try side.generator.connect(64, as: .gateway)
        try population.register(side, through: gateways)
        if population.hasObservedFields { try population.pushToEach(side) }
    }

    /// Lets a router replay the journal that `register` has left.
    ///
    /// - Returns: the bytes of the journal.
    func replay(_ report: inout BenchReport) throws -> Int {
        printProgress("following the journal")
        let side = try start()
        defer { side.server.process.kill() }
        let server = side.server
        report.add("restart.replay.time", value: server.process.startTime.inSeconds, unit: "s")
        report.add("restart.replay.cpu", value: server.process.cpuTime.inSeconds, unit: "s")
        let bytes = BenchCheckpoints.number("journalBytes", in: folder.text(Self.log)[...])
        if bytes == 0 { throw BenchFailure("the log does not say how long the journal was") }
        report.add("restart.replay.journal", value: perWidget(bytes), unit: "bytes/widget")
        return bytes
    }

    private func perWidget(_ bytes: Int) -> Double { Double(bytes) / Double(population.widgets) }

    /// Starts a router on the store, with a new log. It writes a checkpoint after `checkpointAfter`
    /// bytes of journal.
    private func start(
        _ durability: Durability = .full,
        checkpointAfter: Int = 1 << 40
    ) throws -> BenchSide {
        folder.delete(Self.log)
        return try BenchSide.router(
            BenchLoop(),
            store: BenchStoreSettings(
                folder: folder(Self.store),
                durability: durability,
                checkpointAfter: checkpointAfter
            ),
            log: folder(Self.log),
            apps: population.appFile
        )
    }

    // MARK: - The checkpoint

    /// Lets a router write a checkpoint of everything under load, pushes some more, and kills it.
    func checkpoint(
        after byteCount: Int,
        rate: Int,
        tail: Int,
        reportingTo report: inout BenchReport
    ) throws {
        let side = try start(checkpointAfter: byteCount + population.queueByteCount)
        defer { side.server.process.kill() }
        if population.isQueued {
            printProgress("letting all widgets wait")
            try population.queue(side, through: try side.generator.connect(64, as: .gateway))
        }
        let prober = try side.generator.connect(1, as: .gateway)
        let publisher = try connectPublisher(side, named: "checkpoint")
        let traffic = try BenchTraffic(side, publisher: publisher, prober: prober, rate: rate)
        try side.generator.bench.run(for: Self.quietTime)
        try traffic.waitForAnswers()
        let quiet = traffic.takeLongest()
        printProgress("waiting for the checkpoint")
        if population.isQueued { traffic.rate = max(rate, Self.hurriedRate) }
        try wait(side, until: "the checkpoint began") { checkpoints in
            // The measurement includes the start of the checkpoint, but nothing before it.
            if checkpoints.begun == 0 { traffic.forgetEarlier() }
            return checkpoints.begun > 0
        }
        traffic.rate = rate
        try wait(side, until: "the checkpoint was written") { $0.sealed > 0 }
        // In this time the router deletes the journal that the checkpoint has made obsolete.
        try side.generator.bench.run(for: Self.quietTime)
        report.add(
            "restart.checkpoint.block",
            value: traffic.takeLongest(),
            unit: "ms",
            reference: quiet,
            aim: .value(50)
        )
        try traffic.stop()
        let written = BenchCheckpoints(folder.text(Self.log))
        report.add(
            "restart.checkpoint.turn",
            value: Double(written.longestTickMicroseconds) / 1e3,
            unit: "ms"
        )
        report.add("restart.checkpoint.time", value: Double(written.milliseconds) / 1e3, unit: "s")
        report.add(
            "restart.checkpoint.bytes",
            value: perWidget(written.byteCount),
            unit: "bytes/widget"
        )
        side.generator.resume(publisher.lowerBound, count: tail)
        try side.waitForAcknowledgements(within: 600)
    }

    private func connectPublisher(_ side: BenchSide, named name: String) throws -> Range<Int> {
        let publisher = try side.generator.connect(1, as: .publisher) { _ in name }
        side.generator.start(
            publisher.lowerBound,
            sending: population.pushes,
            to: .random(of: population.widgets, seed: 1),
            count: 0
        )
        return publisher
    }

    /// Reads the log every 20 ms until a condition on it holds.
    private func wait(
        _ side: BenchSide,
        until what: String,
        condition: @escaping (BenchCheckpoints) -> Bool
    ) throws {
        var next = ExactTime.none
        try side.generator.bench.run(until: what, within: 1_200) {
            let now = ExactTime.now
            if now < next { return false }
            next = now + .milliseconds(20)
            return condition(BenchCheckpoints(folder.text(Self.log)))
        }
    }

    // MARK: - The restart

    /// Starts `count` routers on the store, one after the other, and reports medians.
    func restart(_ count: Int, reportingTo report: inout BenchReport) throws {
        var starts: [RestartTimes] = []
        let disk = folder.byteCount(of: Self.store)
        for round in 0..<count { starts.append(try restart(round)) }
        func middle(_ value: (RestartTimes) -> Double) -> Double { median(starts.map(value)) }
        // The target: 10 s for ten million widgets.
        let aim = Double(population.widgets) / 1e6
        report.add(
            "restart.time",
            value: middle { $0.time },
            unit: "s",
            reference: middle { $0.touch.time },
            aim: aim >= 1 ? .value(aim) : nil
        )
        report.add("restart.cpu", value: middle { $0.cpu }, unit: "s")
        report.add("restart.cpu.user", value: middle { $0.user }, unit: "s")
        report.add(
            "restart.cpu.system",
            value: middle { $0.system },
            unit: "s",
            reference: middle { $0.touch.cpu }
        )
        report.add(
            "restart.memory",
            value: middle { perWidget($0.residentBytes) },
            unit: "bytes/widget"
        )
        report.add("restart.disk", value: perWidget(disk), unit: "bytes/widget")
    }

    /// Starts a router, and then, for comparison, a process that writes to as much memory.
    ///
    /// Memory that was in use a moment ago costs less. So both start right after another process
    /// has ended that had as much.
    private func restart(_ round: Int) throws -> RestartTimes {
        printProgress("starting")
        let side = try start()
        let process = side.server.process
        defer { process.kill() }
        let cpu = process.cpuTime.inSeconds
        let (user, system) = process.cpuSeconds
        let resident = try process.residentBytes()
        try checkThatWidgetsAreThere(side, round: round)
        process.kill()
        printProgress("touching memory")
        return RestartTimes(
            time: process.startTime.inSeconds,
            cpu: cpu,
            user: user,
            system: system,
            residentBytes: resident,
            touch: try BenchTouch.measure(resident)
        )
    }

    /// Checks that each of a thousand pushes matches one widget.
    private func checkThatWidgetsAreThere(_ side: BenchSide, round: Int) throws {
        let pushes = 1_000
        let publisher = try connectPublisher(side, named: "restart-\(round)")
        side.generator.resume(publisher.lowerBound, count: pushes)
        try side.waitForAcknowledgements()
        if side.generator.matched != pushes {
            throw BenchFailure(
                "\(pushes) pushes matched \(side.generator.matched) widgets after the restart; "
                    + "each must match one"
            )
        }
    }
}

/// The costs of a start; times are in s.
private struct RestartTimes {
    let time: Double
    let cpu: Double
    let user: Double
    let system: Double
    let residentBytes: Int
    /// The time and the CPU time of a process that touches as many bytes once.
    let touch: (time: Double, cpu: Double)
}
