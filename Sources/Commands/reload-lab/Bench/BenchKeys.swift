import ArgumentParser
import DurableStore
import Glibc
import LoadReporting
import Platform
import Times

/// `bench keys`: measures what it takes to keep the keys of very many requests over HTTP.
struct BenchKeys: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "What keys of requests over HTTP take: memory, journal, checkpoint, start.",
        discussion: """
            Over 64 connections, requests with one push each are posted, each with an \
            Idempotency-Key of its own, until all keys are kept. `memory` is the router's resident \
            memory for a key, measured without a store. `journal` is what a request adds to the \
            journal; its reference is a request without a key. `replay` is a start that follows \
            that journal, `checkpoint` what a checkpoint writes for a key, and `restart` a start \
            from it, until the router reports that it listens; `restart.memory` is what it then \
            has more than a router on an empty store.
            """
    )

    @OptionGroup var rounds: BenchRounds

    @Option(help: "Number of keys.")
    var keys = 1_000_000

    @Option(
        help: ArgumentHelp("Folder for the store, on the disk to measure."),
        completion: .directory
    )
    var folder = "/var/tmp"

    private static var connections: Int { 64 }
    /// The number of requests without keys that come before a measurement of memory.
    private static var firstRequests: Int { 20_000 }
    private static var log: String { "log" }

    func validate() throws {
        try checkNumbers([keys], within: 1_000...16_000_000, of: "--keys")
    }

    func run() throws {
        let folder = try BenchFolder(in: folder)
        var report = BenchReport(json: rounds.json)
        try measureMemory(&report)
        let plain = try journal(in: folder, of: keys / 10, hasKeys: false)
        let keyed = try journal(in: folder, of: keys, hasKeys: true)
        report.add(
            "keys.journal",
            value: keyed.bytes / Double(keyed.requests),
            unit: "bytes/request",
            reference: plain.bytes / Double(plain.requests)
        )
        try measureCheckpoint(in: folder, of: keyed.requests, reportingTo: &report)
        try measureRestart(in: folder, of: keyed.requests, reportingTo: &report)
        report.print()
    }

    // MARK: - Routers

    /// Starts a router on a store.
    ///
    /// - Returns: the router, and the port for pushes over HTTP.
    private func start(
        _ store: BenchStoreSettings,
        log: String? = nil
    ) throws -> (process: BenchProcess, port: UInt16) {
        let server = try BenchServer.router(
            apps: BenchApp.file,
            store: store,
            flags: [
                "--publish", "127.0.0.1:0", "--max-request-keys-per-app", "16777216",
            ],
            log: log
        )
        let line = server.process.readLine()
        guard let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchFailure("the router printed: \(line)")
        }
        return (server.process, port)
    }

    /// Posts requests until `count` are answered, and returns how many were.
    private func post(_ count: Int, to port: UInt16, hasKeys: Bool) throws -> Int {
        printProgress("\(count) requests \(hasKeys ? "with" : "without") keys")
        let process = try BenchProcess(
            "bench post",
            program: .lab,
            arguments: [
                "bench", "post", "\(port)", "--connections", "\(Self.connections)",
                "--requests", "\(count)",
            ] + (hasKeys ? ["--keys"] : [])
        )
        defer { process.stop() }
        if process.line != "began" { throw BenchFailure("bench post: \(process.line)") }
        guard let answers = process.readLine().split(separator: " ").first.flatMap({ Int($0) })
        else { throw BenchFailure("bench post printed no figures") }
        return answers
    }

    // MARK: - Measurements

    private func measureMemory(_ report: inout BenchReport) throws {
        let (router, port) = try start(.memory)
        defer { router.kill() }
        _ = try post(min(keys, Self.firstRequests), to: port, hasKeys: false)
        let before = try router.residentBytes()
        let cpu = router.cpuTime
        let count = try post(keys, to: port, hasKeys: true)
        let used = router.cpuTime - cpu
        report.add(
            "keys.memory",
            value: Double(try router.residentBytes() - before) / Double(count),
            unit: "bytes/key",
            aim: .value(48)
        )
        report.add("keys.cpu", value: used.inSeconds * 1e6 / Double(count), unit: "µs/request")
    }

    /// Posts requests to a router with a store, and kills it.
    ///
    /// - Returns: the number of requests, and the bytes of journal that they have led to.
    private func journal(
        in folder: BenchFolder,
        of count: Int,
        hasKeys: Bool
    ) throws -> (requests: Int, bytes: Double) {
        let store = folder(Self.store(hasKeys: hasKeys))
        let (router, port) = try start(
            BenchStoreSettings(folder: store, durability: .os, checkpointAfter: 1 << 40)
        )
        defer { router.kill() }
        let before = try BenchJournal(store, after: 0)
        let requests = try post(count, to: port, hasKeys: hasKeys)
        return (requests, Double(try BenchJournal(store, after: before.position).byteCount))
    }

    private static func store(hasKeys: Bool) -> String { hasKeys ? "keys" : "plain" }

    /// Starts a router on the journal, and lets it write a checkpoint.
    private func measureCheckpoint(
        in folder: BenchFolder,
        of count: Int,
        reportingTo report: inout BenchReport
    ) throws {
        printProgress("following the journal, and writing a checkpoint")
        let store = folder(Self.store(hasKeys: true))
        let (router, port) = try start(
            BenchStoreSettings(folder: store, checkpointAfter: 1 << 20),
            log: folder(Self.log)
        )
        defer { router.kill() }
        report.add("keys.replay.time", value: router.startTime.inSeconds, unit: "s")
        let end = ExactTime.now + .seconds(600)
        while BenchCheckpoints(folder.text(Self.log)).sealed == 0 {
            try router.checkRunning()
            if ExactTime.now >= end { throw BenchFailure("no checkpoint was written in 600 s") }
            // Few keys make a journal that is too short for a checkpoint.
            _ = try post(2_000, to: port, hasKeys: false)
        }
        let written = BenchCheckpoints(folder.text(Self.log)).byteCount
        report.add("keys.checkpoint", value: Double(written) / Double(count), unit: "bytes/key")
    }

    private func measureRestart(
        in folder: BenchFolder,
        of count: Int,
        reportingTo report: inout BenchReport
    ) throws {
        var (times, bytes): ([Double], [Double]) = ([], [])
        for round in 1...rounds.count(otherwise: 3) {
            printProgress("start \(round)")
            let empty = try start(BenchStoreSettings(folder: folder("empty-\(round)"))).process
            let least = try empty.residentBytes()
            empty.kill()
            let store = BenchStoreSettings(
                folder: folder(Self.store(hasKeys: true)),
                checkpointAfter: 1 << 40
            )
            let router = try start(store).process
            times.append(router.startTime.inSeconds)
            bytes.append(Double(try router.residentBytes() - least) / Double(count))
            router.kill()
        }
        // As long as for as many widgets.
        let aim = Double(count) / 1e6
        report.add(
            "keys.restart.time",
            value: median(times),
            unit: "s",
            aim: aim >= 1 ? .value(aim) : nil
        )
        report.add("keys.restart.memory", value: median(bytes), unit: "bytes/key")
    }
}
