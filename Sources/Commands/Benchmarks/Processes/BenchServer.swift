import Basics
import CommandSupport
import DurableStore
import Glibc
package import LoadReporting

/// A server under measurement, in a process of its own, and the ports it listens on.
final class BenchServer {
    let process: BenchProcess
    let port: UInt16
    /// The port of the admin server; 0 if there is none.
    let adminPort: UInt16
    /// The port for publishers over HTTP; 0 if there is none.
    let publishPort: UInt16
    private var loopThread = ""

    /// Starts the router with the text of an app file.
    ///
    /// `log` is a file for the router's log; nil to log only errors, to the standard error of this
    /// process.
    static func router(
        apps: String,
        store: BenchStoreSettings = .memory,
        flags: [String] = [],
        log: String? = nil
    ) throws -> BenchServer {
        // The router has read the file once it listens.
        let folder = try BenchFolder(in: "/tmp")
        try ReportFile.write(apps, to: folder("apps.json"))
        defer { folder.delete("apps.json") }
        return try BenchServer(
            "the router",
            program: .router,
            arguments: [
                "serve", "--listen", "127.0.0.1:0", "--admin", "none",
                "--apps", folder("apps.json"),
                "--log-format", "text", "--log-level", log == nil ? "error" : "info",
            ] + store.flags + flags,
            log: log
        )
    }

    /// Starts one of the reference servers in C, with the files of its certificate.
    static func reference(_ server: BenchReference, files: [String] = []) throws -> BenchServer {
        try BenchServer(
            "the reference \(server.rawValue)",
            program: .lab,
            arguments: ["bench", "part", "reference", server.rawValue] + files
        )
    }

    private init(
        _ name: String,
        program: BenchProgram,
        arguments: [String],
        log: String? = nil
    ) throws {
        process = try BenchProcess(name, program: program, arguments: arguments, log: log)
        // If there is an admin server, "admin on 127.0.0.1:PORT" comes first.
        let hasAdmin = process.line.hasPrefix("admin on ")
        adminPort = hasAdmin ? Self.port(in: process.line) : 0
        // The router prints "listening on 127.0.0.1:PORT", a reference "listening PORT".
        let line = hasAdmin ? process.readLine() : process.line
        port = Self.port(in: line)
        if port == 0 { throw BenchFailure("\(name) did not start; it printed: \(line)") }
        // The router prints the address of the listener for publishers last.
        let hasListener = arguments.contains("--publish")
        publishPort = hasListener ? Self.port(in: process.readLine()) : 0
    }

    private static func port(in line: String) -> UInt16 {
        line.split { $0 == " " || $0 == ":" }.last.flatMap { UInt16($0) } ?? 0
    }

    /// User and system time of the loop's thread; zero before `findLoop` was called.
    var loopTime: Nanoseconds { loopThread.isEmpty ? .zero : threadTime(loopThread) }

    /// Finds the loop's thread: the one that uses most CPU while `body` loads the server.
    func findLoop(while body: () throws -> Void) rethrows {
        let threads = BenchFolder.names(in: "/proc/\(process.processID)/task")
        let before = threads.map { threadTime($0) }
        try body()
        let work = zip(threads, before).map { (thread: $0, time: threadTime($0) - $1) }
        loopThread = work.max { $0.time < $1.time }?.thread ?? ""
    }

    private func threadTime(_ thread: String) -> Nanoseconds {
        let text = readText("/proc/\(process.processID)/task/\(thread)/schedstat")
        return Nanoseconds(rawValue: text.split(separator: " ").first.flatMap { Int64($0) } ?? 0)
    }
}

/// The store of a router under measurement.
struct BenchStoreSettings {
    /// The path of the store; nil for a router without one.
    let folder: String?
    var durability = Durability.full
    /// Bytes of journal after which a checkpoint is written; nil for the default of `serve`.
    var checkpointAfter: Int?

    /// No store: everything is kept in memory.
    static let memory = BenchStoreSettings(folder: nil)

    /// A number of bytes after which no checkpoint is written in a benchmark.
    static let noCheckpoint = 1 << 40

    /// The flags of `serve` for these settings.
    var flags: [String] {
        var flags = ["--store", folder ?? "none", "--durability", durability.rawValue]
        if let checkpointAfter { flags += ["--checkpoint-after", "\(checkpointAfter)"] }
        return flags
    }
}

extension OwnRouter {
    /// Starts a router for a command that was not given the address of one. If the flags have
    /// `--publish`, its port must be 0.
    package static func start(apps: String, flags: [String] = []) throws -> OwnRouter {
        let flags = ["--admin", "127.0.0.1:0"] + flags
        let server = try BenchServer.router(apps: apps, flags: flags)
        return OwnRouter(
            address: "127.0.0.1:\(server.port)",
            adminAddress: "127.0.0.1:\(server.adminPort)",
            publishAddress: server.publishPort == 0 ? nil : "127.0.0.1:\(server.publishPort)",
            cpuTime: { server.process.cpuTime },
            stop: { server.process.stop() }
        )
    }
}
