import ArgumentParser
import Basics
import CommandSupport
import Glibc
import LoadReporting
import Platform

/// `bench publish`: measures pushes over HTTP, with nginx as the reference, and what the keys of
/// requests take.
struct BenchPublish: Benchmark {
    static let plan = BenchPlan(
        name: "publish",
        what: "pushes over HTTP over 1 to 1,000 connections",
        aim: "CPU within 3 times nginx's; 48 bytes a key",
        discussion: """
            Each connection posts a push that matches no widget when the one before was answered. \
            `cpu` is the CPU time of the whole server for a request, and `rate` the requests per \
            second; the reference is nginx with one process, which reads the same requests and \
            answers each with the same text. In the rows named keys, each request has an \
            Idempotency-Key of its own; `key.memory` is by how much the router grows for each of \
            very many. Without Debian's package nginx-light there is no reference.
            """,
        quick: "--seconds 0.05 --connections 1 --keys 1000"
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Numbers of connections.")
    var connections = [1, 64, 1_000]

    @Option(help: "Number of keys whose memory is measured.")
    var keys = 1_000_000

    func validate() throws {
        try checkNumbers(connections, within: 1...1_000, of: "--connections")
        try checkNumbers([keys], within: 1_000...16_000_000, of: "--keys")
    }

    func measure(_ run: BenchRun) throws {
        let side = try run.router(flags: ["--publish", "127.0.0.1:0"])
        let nginx = BenchNginx.isInstalled ? try BenchNginx() : nil
        defer { nginx?.process.stop() }
        for count in connections {
            try measure(run, connections: count, server: side.server, beside: nginx)
        }
        run.stopServers()
        try measureKeys(run)
    }

    // MARK: - Requests

    private func measure(
        _ run: BenchRun,
        connections count: Int,
        server: LabServer,
        beside nginx: BenchNginx?
    ) throws {
        printProgress("\(count) connections")
        var loads = [
            (port: server.publishPort, process: server.process, hasKeys: false),
            (port: server.publishPort, process: server.process, hasKeys: true),
        ]
        if let nginx { loads.append((nginx.port, nginx.process, false)) }
        let windows = try run.alternate(loads) { load in
            let generator = try Self.post(count, to: load.port, hasKeys: load.hasKeys)
            defer { generator.stop() }
            let cpu = load.process.cpuTime
            usleep(UInt32(options.length / .microseconds(1)))
            let used = load.process.cpuTime - cpu
            generator.endInput()
            let numbers = try generator.numbers(2)
            let time = Nanoseconds(seconds: numbers[1])
            return BenchWindow(operations: Int(numbers[0]), time: time, cpu: used)
        }
        for (row, ours) in [("\(count)", windows[0]), ("\(count).keys", windows[1])] {
            let sides = [ours] + windows.dropFirst(2)
            let cpu = { (windows: [BenchWindow]) in windows.cpu / 1_000 }
            run.add("\(row).cpu", of: sides, as: cpu, unit: "µs/request", aim: .ratio(3))
            run.add("\(row).rate", of: sides, as: \.rate, unit: "requests/s")
        }
    }

    /// Posts over some connections, from a process of their own; until `limit` are answered, or
    /// its input ends.
    private static func post(
        _ connections: Int,
        to port: UInt16,
        hasKeys: Bool,
        limit: Int? = nil
    ) throws -> LabProcess {
        let words = ["\(port)", "\(connections)", hasKeys ? "1" : "0"]
        return try .part(.post, words: words + (limit.map { ["\($0)"] } ?? []))
    }

    // MARK: - Keys

    private func measureKeys(_ run: BenchRun) throws {
        let flags = ["--publish", "127.0.0.1:0", "--max-request-keys-per-app", "16777216"]
        let server = try run.router(flags: flags).server
        func post(_ count: Int, hasKeys: Bool) throws -> Double {
            printProgress("\(count) requests \(hasKeys ? "with" : "without") keys")
            let process = try Self.post(64, to: server.publishPort, hasKeys: hasKeys, limit: count)
            defer { process.stop() }
            return try process.numbers(2)[0]
        }
        // What requests take that have no keys is there before.
        _ = try post(min(keys, 20_000), hasKeys: false)
        let before = try server.process.residentBytes()
        let count = try post(keys, hasKeys: true)
        let grown = Double(try server.process.residentBytes() - before)
        run.add("key.memory", value: grown / count, unit: "bytes/key", aim: .value(48))
    }
}
