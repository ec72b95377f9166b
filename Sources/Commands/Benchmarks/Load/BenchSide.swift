import Basics
import FrameCodec
import LoadReporting
import Platform

/// A server under measurement, with the generator that loads it.
struct BenchSide {
    let server: LabServer
    let generator: LoadGenerator

    /// Measures `body`, which returns the number of its operations.
    func measure(_ body: () throws -> Int) throws -> BenchWindow {
        let (cpu, loop) = (server.process.cpuTime, server.loopTime)
        let start = ExactTime.now
        let operations = try body()
        let end = ExactTime.now
        return BenchWindow(
            operations: operations,
            time: end - start,
            cpu: server.process.cpuTime - cpu,
            loop: server.loopTime - loop
        )
    }

    // MARK: - Connections

    /// Connects publishers that pause, all of which have the same frames to send, with as many of
    /// each unacknowledged as `window`. The targets of each are by its index. Returns their indices
    /// in the generator.
    func publishers(
        _ count: Int,
        window: Int = 8_192,
        named name: String,
        sending frames: LoadGeneratorFrames,
        to targets: (Int) -> LoadGeneratorTargets = { _ in .first }
    ) throws -> Range<Int> {
        let all = try generator.connect(count, as: .publisher, window: window) { "\(name)-\($0)" }
        for index in all { generator.start(index, sending: frames, to: targets(index), count: 0) }
        return all
    }

    /// Registers devices through gateways that are idle, in equal shares.
    func register(
        _ frames: LoadGeneratorFrames,
        devices: Int,
        through gateways: Range<Int>
    ) throws {
        assert(!gateways.isEmpty || devices == 0, "no gateway speaks for the devices")
        for (first, index) in gateways.enumerated().prefix(devices) {
            generator.start(
                index,
                sending: frames,
                to: .every(gateways.count, from: first),
                count: (devices - first + gateways.count - 1) / gateways.count
            )
        }
        try waitForAcknowledgements(within: 3_600)
    }

    // MARK: - Windows

    /// Lets the publishers push for some time, and waits until everything is acknowledged and
    /// delivered.
    func pushWindow(
        _ publishers: Range<Int>,
        subscribers: Range<Int> = 0..<0,
        seconds: Double
    ) throws -> BenchWindow {
        try measure {
            let before = generator.acknowledged
            for index in publishers { generator.resume(index) }
            try generator.bench.run(for: Nanoseconds(seconds: seconds))
            for index in publishers { generator.pause(index) }
            try waitForAcknowledgements()
            try waitForQuiet(subscribers)
            return generator.acknowledged - before
        }
    }

    /// Waits until all frames are acknowledged.
    func waitForAcknowledgements(within seconds: Double = 60) throws {
        try generator.bench.run(until: "everything was acknowledged", within: seconds) {
            generator.unacknowledged == 0
        }
    }

    /// Waits for the last RELOAD.
    ///
    /// The number of RELOADs is not known in advance, because pushes for one device may coalesce.
    /// So each subscriber is sent a PING, which is answered after everything before it. If a whole
    /// round of PINGs brings no RELOAD, none is on its way. The references know no PING, but
    /// forward every push that they acknowledge.
    private func waitForQuiet(_ subscribers: Range<Int>) throws {
        if subscribers.isEmpty { return }
        if generator.wire != .router {
            let publishers = generator.connections[subscribers.upperBound...]
            let goal = publishers.reduce(0) { $0 + Int($1.acknowledged) }
            return try generator.bench.run(until: "everything was forwarded") {
                generator.reloads >= goal
            }
        }
        while true {
            let reloads = generator.reloads
            let goal = generator.pongs + subscribers.count
            generator.ping(subscribers)
            try generator.bench.run(until: "the pings were answered") { generator.pongs >= goal }
            if generator.reloads == reloads { return }
        }
    }
}
