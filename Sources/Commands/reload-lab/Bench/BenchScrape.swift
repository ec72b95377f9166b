import ArgumentParser
import FrameCodec
import Glibc
import LoadReporting
import Platform
import Times

/// `bench scrape`: measures what requests to the admin server cost the router's loop, and whether
/// they delay pushes.
struct BenchScrape: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scrape",
        abstract: "Cost of metrics and status for the event loop, and their effect on pushes.",
        discussion: """
            `metrics`, `status` and `origins` are CPU of the event loop for each request of \
            /metrics, /v1/status and /v1/origins, nine a second, beyond what the loop uses without \
            them; `events` is the same for each second in which viewers follow /v1/events. `ack` \
            is the time from a push's intended sending to its ACK while these viewers have the \
            dashboard open, which also requests /v1/origins every 2 s, and /metrics is scraped \
            each second. Its reference is the same router without viewers and scrapes, in windows \
            in between.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of declared apps.")
    var apps = 100

    @Option(help: "Number of open connections.")
    var connections = 10_000

    @Option(help: "Number of devices with one widget each, pushed to one after another.")
    var devices = 100_000

    @Option(help: ArgumentHelp("Pushes per second.", valueName: "pushes"))
    var rate = 20_000

    @Option(help: "Number of viewers of the status events.")
    var viewers = 50

    /// The time between two requests: a little more than the time for which the server
    /// answers with the same status (`StatusSnapshot`).
    private static var interval: Nanoseconds { .milliseconds(110) }

    func validate() throws {
        try checkNumbers([viewers], within: 1...60, of: "--viewers")
        try checkNumbers([apps], within: 1...10_000, of: "--apps")
        try checkNumbers([connections], within: 1...100_000, of: "--connections")
        try checkNumbers([devices], within: 1...1_000_000, of: "--devices")
        // A device that is pushed to again before its RELOAD arrives would get one RELOAD for both.
        try checkNumbers([rate], within: 1...devices, of: "--rate")
    }

    func run() throws {
        var report = BenchReport(json: options.json)
        try measurePushes(&report)
        let side = try router(BenchLoop(), devices: min(devices, 10_000), connections: 1)
        defer { side.stop() }
        for (name, path) in [
            ("metrics", "/metrics"), ("status", "/v1/status"), ("origins", "/v1/origins"),
        ] {
            try measureRequests(side, named: name, path: path, into: &report)
        }
        try measureEvents(side, into: &report)
        report.print()
    }

    /// Starts a router with widgets, and finds the thread of its loop.
    private func router(
        _ bench: BenchLoop,
        devices: Int,
        connections: Int
    ) throws -> BenchSide {
        let population = try BenchPopulation.make(widgets: devices, devices: devices)
        let side = try BenchSide.router(
            bench,
            flags: ["--admin", "127.0.0.1:0"],
            apps: BenchApp.file(apps: apps)
        )
        let gateways = try side.generator.connect(connections, as: .gateway)
        try side.server.findLoop { _ = try population.register(side, through: gateways) }
        return side
    }

    /// Sends a PING on each connection, spread over the router's ping interval. Otherwise the
    /// router would send its own PINGs at once to all connections, which were opened together, and
    /// some windows would contain that.
    private func spreadSigns(of gateways: Range<Int>, on side: BenchSide) throws {
        // With few connections, the router's PINGs make no difference.
        if gateways.count < 1_000 { return }
        for second in 0..<Self.pingInterval {
            let first = gateways.lowerBound + gateways.count * second / Self.pingInterval
            let end = gateways.lowerBound + gateways.count * (second + 1) / Self.pingInterval
            side.generator.ping(first..<end)
            try side.generator.bench.run(for: .seconds(1))
        }
    }

    /// The number of seconds of the router's ping interval: its PINGs are spread over as many.
    private static var pingInterval: Int { 15 }

    // MARK: - CPU of the loop, without the noise of many connections

    private func measureRequests(
        _ side: BenchSide,
        named name: String,
        path: String,
        into report: inout BenchReport
    ) throws {
        var times: [Double] = []
        var byteCount: Int?
        for _ in 0..<options.windows {
            let idle = try loopTime(side, count: requestCount) {}
            // A new connection for each window: the server closes one that is idle for a while.
            let client = try BenchAdminClient(port: side.server.adminPort)
            let used = try loopTime(side, count: requestCount) {
                byteCount = try client.expect(path)
            }
            times.append(max(0, (used - idle).inMicroseconds) / Double(requestCount))
        }
        let aim: BenchAim? = name == "metrics" ? .value(1_000) : nil
        report.add("scrape.\(name).loop", value: median(times), unit: "µs/request", aim: aim)
        report.add("scrape.\(name).body", value: Double(byteCount ?? 0), unit: "bytes")
    }

    private var requestCount: Int { max(3, Int(options.length / Self.interval)) }

    /// Returns the CPU time of the loop's thread while `body` runs `count` times.
    private func loopTime(
        _ side: BenchSide,
        count: Int,
        body: () throws -> Void
    ) throws -> Nanoseconds {
        // Lets the generator answer the router's PINGs between windows.
        try side.generator.bench.run(for: .milliseconds(50))
        let before = side.server.loopTime
        var next = ExactTime.now
        for _ in 0..<count {
            try body()
            next += Self.interval
            usleep(UInt32(max(.zero, next - .now) / .microseconds(1)))
        }
        return side.server.loopTime - before
    }

    private func measureEvents(_ side: BenchSide, into report: inout BenchReport) throws {
        // There is one event a second: in a longer window one more or less matters little.
        let count = requestCount * 5
        let seconds = Double(count) * Self.interval.inSeconds
        var times: [Double] = []
        for _ in 0..<options.windows {
            let idle = try loopTime(side, count: count) {}
            let used = try whileWatched(side, flags: []) { try loopTime(side, count: count) {} }
            times.append((used - idle).inMicroseconds / seconds)
        }
        report.add("scrape.events.loop", value: max(0, median(times)), unit: "µs/s")
    }

    /// Runs `body` while viewers follow streams of events.
    ///
    /// - Throws: what `body` throws, and `BenchFailure` if a viewer ended before `body` did.
    private func whileWatched<Result>(
        _ side: BenchSide,
        flags: [String],
        body: () throws -> Result
    ) throws -> Result {
        let port = "\(side.server.adminPort)"
        let arguments = ["bench", "watch", port, "--viewers", "\(viewers)"] + flags
        let process = try BenchProcess("bench watch", program: .lab, arguments: arguments)
        defer { process.stop() }
        if process.line != "ready" { throw BenchFailure("bench watch printed: \(process.line)") }
        let result = try body()
        try process.checkRunning()
        return result
    }

    // MARK: - Pushes meanwhile

    private func measurePushes(_ report: inout BenchReport) throws {
        let side = try router(BenchLoop(), devices: devices, connections: connections)
        defer { side.stop() }
        _ = try side.generator.connect(1, as: .publisher) { _ in "scrape" }
        try spreadSigns(of: 0..<connections, on: side)
        _ = try push(side)
        var (quiet, watched): ([LatencyRecorder], [LatencyRecorder]) = ([], [])
        for window in 0..<options.windows {
            // The sides alternate in going first, so that work left over from one does not always
            // burden the other.
            for isWatched in window % 2 == 0 ? [false, true] : [true, false] {
                if isWatched {
                    watched.append(try whileWatched(side, flags: ["--asks"]) { try push(side) })
                } else {
                    quiet.append(try push(side))
                }
            }
        }
        for (name, point) in [("p50", 0.5), ("p99", 0.99)] {
            let times = [watched, quiet].map { side in
                median(side.map { quantile(point, of: $0.acknowledgements) / 1_000 })
            }
            report.add("scrape.ack.\(name)", value: times[0], unit: "µs", reference: times[1])
        }
    }

    private func push(_ side: BenchSide) throws -> LatencyRecorder {
        try side.pushByTheClock(
            side.generator.connections[connections],
            rate: rate,
            devices: devices,
            seconds: options.seconds * 2
        )
    }
}

extension BenchApp {
    /// Returns the app file with `count` apps in total, of which only the first is used.
    static func file(apps count: Int) -> String {
        let others = (1..<max(1, count)).map { #",{"app":"other-\#($0)","kinds":[{"kind":"k"}]}"# }
        return String(file.dropLast(2)) + others.joined() + "]}"
    }
}
