import ArgumentParser
import FrameCodec
import Glibc
import LibuvLoop
import LoadReporting
import Platform
import Times

/// `bench publish`: measures pushes over HTTP, with nginx as the reference, and whether publishers
/// over TCP notice them.
struct BenchPublish: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Pushes over HTTP, beside nginx, and what other publishers notice.",
        discussion: """
            Each connection posts a push that matches no widget when the one before was answered. \
            `cpu` is the CPU time of the whole server for a request, and `rate` the requests per \
            second; the reference is nginx with one process, which reads the same requests and \
            answers each with the same text. In the rows named keys, each request has an \
            Idempotency-Key of its own. `others` is the time from when a push over TCP was due to \
            its ACK, while as many connections post, and its reference the same before. Without \
            Debian's package nginx-light there is no reference.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Numbers of connections.")
    var connections = [1, 64, 1_000]

    @Option(help: ArgumentHelp("Pushes per second over TCP meanwhile.", valueName: "pushes"))
    var rate = 2_000

    private static var publishers: Int { 16 }
    private static var devices: Int { 1_000 }

    func validate() throws {
        try checkNumbers(connections, within: 1...1_000, of: "--connections")
        try checkNumbers([rate], within: 1...100_000, of: "--rate")
    }

    func run() throws {
        var report = BenchReport(json: options.json)
        let bench = try BenchLoop()
        let flags = ["--publish", "127.0.0.1:0"]
        let side = try BenchSide.router(bench, flags: flags)
        defer { side.stop() }
        let line = side.server.process.readLine()
        guard let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchFailure("the router printed: \(line)")
        }
        let nginx = BenchNginx.isInstalled ? try BenchNginx() : nil
        defer { nginx?.stop() }
        for count in connections {
            try measure(count, on: side, port: port, beside: nginx, into: &report)
        }
        try measureOthers(on: side, port: port, into: &report)
        report.print()
    }

    // MARK: - Requests

    private func measure(
        _ count: Int,
        on side: BenchSide,
        port: UInt16,
        beside nginx: BenchNginx?,
        into report: inout BenchReport
    ) throws {
        printProgress("\(count) connections")
        var (plain, keyed, reference) = (BenchWindows(), BenchWindows(), BenchWindows())
        for _ in 0..<options.windows {
            plain.add(try post(count, to: port, of: side.server.process))
            keyed.add(try post(count, to: port, of: side.server.process, hasKeys: true))
            if let nginx { reference.add(try post(count, to: nginx.port, of: nginx.process)) }
        }
        for (name, windows) in [("", plain), (".keys", keyed)] {
            report.add(
                "publish.\(count)\(name).cpu",
                value: windows.cpu / 1_000,
                unit: "µs/request",
                reference: nginx.map { _ in reference.cpu / 1_000 },
                aim: .ratio(3)
            )
            report.add(
                "publish.\(count)\(name).rate",
                value: windows.rate,
                unit: "requests/s",
                reference: nginx.map { _ in reference.rate }
            )
        }
    }

    /// Posts over some connections, from a process of their own.
    private func post(
        _ count: Int,
        to port: UInt16,
        of server: BenchProcess,
        hasKeys: Bool = false
    ) throws -> BenchWindow {
        let generator = try Self.generator(count, to: port, hasKeys: hasKeys)
        defer { generator.stop() }
        let cpu = server.cpuTime
        usleep(UInt32(options.length / .microseconds(1)))
        let used = server.cpuTime - cpu
        generator.endInput()
        let words = generator.readLine().split(separator: " ")
        guard words.count == 2, let answers = Int(words[0]), let seconds = Double(words[1]) else {
            throw BenchFailure("bench post printed no figures")
        }
        return BenchWindow(
            operations: answers,
            time: Nanoseconds(seconds: seconds),
            cpu: used
        )
    }

    private static func generator(
        _ count: Int,
        to port: UInt16,
        hasKeys: Bool
    ) throws -> BenchProcess {
        let process = try BenchProcess(
            "bench post",
            program: .lab,
            arguments: ["bench", "post", "\(port)", "--connections", "\(count)"]
                + (hasKeys ? ["--keys"] : [])
        )
        if process.line != "began" { throw BenchFailure("bench post: \(process.line)") }
        return process
    }

    // MARK: - Others

    private func measureOthers(
        on side: BenchSide,
        port: UInt16,
        into report: inout BenchReport
    ) throws {
        let population = try BenchPopulation.make(widgets: Self.devices, devices: Self.devices)
        let gateways = try side.generator.connect(1, as: .gateway)
        _ = try population.register(side, through: gateways)
        let publishers = try side.generator.connect(Self.publishers, as: .publisher) { "tcp-\($0)" }
        let honest = try BenchHonestPushes(
            side,
            on: publishers,
            rate: rate,
            characters: Self.devices
        )
        let bench = side.generator.bench
        for count in connections {
            printProgress("others beside \(count) connections")
            var (quiet, beside): ([Nanoseconds], [Nanoseconds]) = ([], [])
            for _ in 0..<options.windows {
                quiet += try times(of: honest, on: bench)
                let generator = try Self.generator(count, to: port, hasKeys: false)
                defer { generator.stop() }
                beside += try times(of: honest, on: bench)
            }
            for (name, point) in [("p50", 0.5), ("p99", 0.99)] {
                report.add(
                    "publish.\(count).others.\(name)",
                    value: quantile(point, of: beside) / 1e6,
                    unit: "ms",
                    reference: quantile(point, of: quiet) / 1e6
                )
            }
        }
        try honest.stop()
    }

    /// How long the others' pushes take in a window; those that are late because a process has just
    /// started or ended do not count.
    private func times(of honest: BenchHonestPushes, on bench: BenchLoop) throws -> [Nanoseconds] {
        try bench.run(for: .milliseconds(300))
        _ = honest.takeTimes()
        try bench.run(for: options.length)
        return honest.takeTimes()
    }
}
