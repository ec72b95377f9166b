import ArgumentParser
import Basics
import CommandSupport
import LoadReporting
import Platform

/// `bench scrape`: measures what requests to the admin server cost the router's loop.
struct BenchScrape: Benchmark {
    static let plan = BenchPlan(
        name: "scrape",
        what: "scrapes of 100 apps and 10,000 devices",
        aim: "at most 1 ms of the loop each",
        discussion: """
            `metrics`, `status` and `origins` are CPU of the event loop for each request of \
            /metrics, /v1/status and /v1/origins, nine a second, beyond what the loop uses without \
            them; `events` is the same for each second in which viewers follow /v1/events. What \
            publishers notice of an operator's requests, `bench fairness` measures.
            """,
        quick: "--seconds 0.05 --devices 1000 --apps 10"
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of declared apps.")
    var apps = 100

    @Option(help: "Number of devices with one widget each.")
    var devices = 10_000

    @Option(help: "Number of viewers of the status events.")
    var viewers = 50

    /// The time between two requests: a little more than the time for which the server
    /// answers with the same status (`StatusSnapshot`).
    private static var interval: Nanoseconds { .milliseconds(110) }

    func validate() throws {
        try checkNumbers([viewers], within: 1...60, of: "--viewers")
        try checkNumbers([apps], within: 1...10_000, of: "--apps")
        try checkNumbers([devices], within: 1...1_000_000, of: "--devices")
    }

    func measure(_ run: BenchRun) throws {
        let side = try router(run)
        for (name, path) in [
            ("metrics", "/metrics"), ("status", "/v1/status"), ("origins", "/v1/origins"),
        ] {
            try measureRequests(run, side: side, named: name, path: path)
        }
        try measureEvents(run, side: side)
    }

    /// Starts a router with widgets, and finds the thread of its loop.
    private func router(_ run: BenchRun) throws -> BenchSide {
        let others = (1..<apps).map { #",{"app":"other-\#($0)","kinds":[{"kind":"k"}]}"# }
        let apps = String(BenchApp.file.dropLast(2)) + others.joined() + "]}"
        let side = try run.router(flags: ["--admin", "127.0.0.1:0"], apps: apps)
        let population = try BenchPopulation(widgets: devices, devices: devices)
        try side.server.findLoop { try population.register(side, gateways: 1) }
        return side
    }

    private func measureRequests(
        _ run: BenchRun,
        side: BenchSide,
        named name: String,
        path: String
    ) throws {
        let count = max(3, Int(options.length / Self.interval))
        var byteCount = 0
        let times = try (0..<run.rounds).map { _ in
            let idle = try loopTime(side, count: count) {}
            // A new connection for each window: the server closes one that is idle for a while.
            let client = try client(side, path: path, pace: .asked)
            let used = try loopTime(side, count: count) {
                let goal = client.answerCount + 1
                client.ask()
                try run.bench.run(until: "the request was answered") { client.answerCount == goal }
            }
            byteCount = client.byteCount
            try client.stop()
            return max(0, (used - idle).inMicroseconds) / Double(count)
        }
        let aim: BenchAim? = name == "metrics" ? .value(1_000) : nil
        run.add("\(name).loop", value: median(times), unit: "µs/request", aim: aim)
        run.add("\(name).body", value: Double(byteCount), unit: "bytes")
    }

    private func client(
        _ side: BenchSide,
        path: String,
        pace: RequestGenerator.Pace,
        connections: Int = 1
    ) throws -> RequestGenerator {
        let port = side.server.adminPort
        let request = RequestGenerator.get(path, port: port)
        let client = try RequestGenerator(
            side.generator.bench,
            to: port,
            pace: pace,
            status: "200"
        ) { _ in request }
        try client.connect(connections)
        return client
    }

    /// Returns the CPU time of the loop's thread while `body` runs `count` times.
    private func loopTime(
        _ side: BenchSide,
        count: Int,
        body: () throws -> Void
    ) throws -> Nanoseconds {
        let before = side.server.loopTime
        var next = ExactTime.now
        for _ in 0..<count {
            try body()
            next += Self.interval
            try side.generator.bench.run(for: max(.zero, next - .now))
        }
        return side.server.loopTime - before
    }

    private func measureEvents(_ run: BenchRun, side: BenchSide) throws {
        // There is one event a second: in a longer window one more or less matters little.
        let count = max(3, Int(options.length / Self.interval)) * 5
        let seconds = Double(count) * Self.interval.inSeconds
        let times = try (0..<run.rounds).map { _ in
            let idle = try loopTime(side, count: count) {}
            let clients = try client(
                side,
                path: "/v1/events",
                pace: .streaming,
                connections: viewers
            )
            try run.bench.run(until: "the viewers were answered") {
                clients.answerCount >= viewers
            }
            let before = clients.answerCount
            let used = try loopTime(side, count: count) {}
            // A window is longer than a second, in which each viewer gets an event.
            if clients.answerCount - before < viewers {
                throw BenchFailure("the viewers have received no events")
            }
            try clients.stop()
            return (used - idle).inMicroseconds / seconds
        }
        run.add("events.loop", value: max(0, median(times)), unit: "µs/s")
    }
}
