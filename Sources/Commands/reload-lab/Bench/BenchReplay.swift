import ArgumentParser
import CaptureFormat
import CaptureTools
import DataStructures
import LibuvLoop
import LoadReporting
import StoreFormat
import Times

/// `bench replay`: measures the generator of replays: how well it keeps its schedule.
struct BenchReplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "The generator of replays alone: how well it keeps its schedule.",
        discussion: """
            A capture in memory is replayed against a router in memory, at rising rates, until the \
            schedule is not kept; then without a schedule. Lateness is the time from when a push \
            was intended to when it was passed to its socket. CPU is the generator's own, and is \
            meaningful only without a schedule: between pushes the generator polls the clock.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Rates to try, in pushes per second.", valueName: "rate")
    )
    var rates = [100_000, 200_000, 400_000, 600_000, 800_000, 1_000_000]

    @Option(help: "Number of connections that push.")
    var connections = 16

    func validate() throws {
        if rates.isEmpty || rates.contains(where: { !(100...10_000_000).contains($0) }) {
            throw ValidationError("--rates must be from 100 to 10000000")
        }
        if !(1...1_024).contains(connections) {
            throw ValidationError("--connections must be from 1 to 1024")
        }
    }

    func run() throws {
        let server = try BenchServer.router(apps: BenchApp.file)
        defer { server.process.stop() }
        var report = BenchReport(json: options.json)
        for rate in rates {
            let runs = try (0..<options.windows).map { _ in
                try play(server, rate: rate, speed: .times(1))
            }
            let name = "replay.\(rate)"
            let reached = median(runs.map(\.pushes.sentPerSecond))
            report.add("\(name).reached", value: reached, unit: "pushes/s", reference: Double(rate))
            report.add(
                "\(name).late.p50",
                value: median(runs.map { $0.lateness.p50 * 1_000 }),
                unit: "µs"
            )
            report.add(
                "\(name).late.p99",
                value: median(runs.map { $0.lateness.p99 * 1_000 }),
                unit: "µs",
                aim: rate == 100_000 ? .value(1_000) : nil
            )
            report.add(
                "\(name).ack.p99",
                value: median(runs.map { $0.acknowledgement.p99 * 1_000 }),
                unit: "µs"
            )
            // The generator is saturated: it sends more than 2 % less than the schedule asks for.
            if reached < 0.98 * Double(rate) { break }
        }
        let runs = try (0..<options.windows).map { _ in
            try play(server, rate: 1_000_000, speed: .unlimited)
        }
        report.add(
            "replay.max.rate",
            value: median(runs.map(\.pushes.sentPerSecond)),
            unit: "pushes/s"
        )
        report.add(
            "replay.max.cpu",
            value: median(
                runs.map { $0.cost.generatorCPUSeconds * 1e9 / Double(max(1, $0.pushes.sent)) }
            ),
            unit: "ns/push"
        )
        report.print()
    }

    private func play(
        _ server: BenchServer,
        rate: Int,
        speed: ReplaySpeed
    ) throws -> ReplayReport {
        // A tenth of a second, repeated, keeps the capture small.
        let source = capture(pushes: max(10, rate / 10), over: 100_000)
        var settings = ReplaySettings()
        settings.speed = speed
        settings.loops = max(1, Int(options.seconds * 10))
        settings.connections = connections
        settings.hasDevices = false
        settings.runName = String(UInt32.random(in: 0 ... .max), radix: 16)
        let roster = try ReplayRoster(source, settings: settings)
        let engine = try ReplayEngine(source, roster: roster, settings: settings)
        return try SocketReplay(
            engine,
            router: Endpoint(host: "127.0.0.1", port: server.port)
        ).run()
    }

    /// Returns a capture of pushes that match no widget, with one producer for each connection.
    private func capture(pushes: Int, over microseconds: Int) -> MemorySource {
        var records = CaptureRecords()
        records.put(.apps, connection: 0, time: 0, seq: 0, body: BenchApp.file)
        for producer in 1...connections {
            let hello =
                "{\"v\":1,\"role\":\"publisher\",\"app\":\"\(BenchApp.name)\","
                + "\"producer\":\"p\(producer)\"}"
            records.put(.hello, connection: producer, time: 0, seq: 0, body: hello)
        }
        for number in 0..<pushes {
            let body = BenchApp.unmatchedPush.replacing(
                "######",
                with: "\(100_000 + number % 900_000)"
            )
            let time = 1 + number * microseconds / pushes
            records.put(
                .push,
                connection: number % connections + 1,
                time: time,
                seq: number / connections + 1,
                body: body
            )
        }
        return MemorySource(
            records,
            header: CaptureHeader(recording: 1, startedAt: RecordedDate(rawValue: 0))
        )
    }
}

extension CaptureRecords {
    fileprivate mutating func put(
        _ kind: CaptureKind,
        connection: Int,
        time: Int,
        seq: Int,
        body: String
    ) {
        body.withByteView { body in
            put(
                CaptureRecord(
                    time: RecordedTime(rawValue: UInt64(time)),
                    connection: UInt32(connection),
                    kind: kind,
                    seq: UInt64(seq),
                    body: body
                )
            )
        }
    }
}
