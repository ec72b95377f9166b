import CommandSupport
import Glibc
import LoadReporting
import Times

/// A server under measurement, in a process of its own, and the ports it listens on.
final class BenchServer {
    let process: BenchProcess
    let port: UInt16
    /// The port of the admin server; 0 if there is none.
    let adminPort: UInt16
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
        let path = try temporaryFile(apps)
        // The router has read the file once it listens.
        defer { unsafe _ = unlink(path) }
        return try BenchServer(
            "the router",
            program: .router,
            arguments: [
                "serve", "--listen", "127.0.0.1:0", "--admin", "none", "--apps", path,
                "--log-format", "text", "--log-level", log == nil ? "error" : "info",
            ] + store.flags + flags,
            log: log
        )
    }

    /// Starts a router for a command that was not given the address of one.
    static func ownRouter(apps: String) throws -> OwnRouter { try ownRouter(apps: apps, flags: []) }

    /// Starts such a router with further settings. If there is `--publish`, its port must be 0.
    static func ownRouter(apps: String, flags: [String]) throws -> OwnRouter {
        let server = try router(apps: apps, flags: ["--admin", "127.0.0.1:0"] + flags)
        var publishAddress: String?
        if flags.contains("--publish") {
            // It prints this address last.
            publishAddress = "127.0.0.1:\(port(in: server.process.readLine()))"
        }
        return OwnRouter(
            address: "127.0.0.1:\(server.port)",
            adminAddress: "127.0.0.1:\(server.adminPort)",
            publishAddress: publishAddress,
            cpuTime: { server.process.cpuTime },
            stop: { server.process.stop() }
        )
    }

    /// Starts one of the reference servers in C.
    static func reference(
        _ server: BenchReference.Server,
        flags: [String] = []
    ) throws -> BenchServer {
        try BenchServer(
            "the reference \(server.rawValue)",
            program: .lab,
            arguments: ["bench", "reference", server.rawValue] + flags
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
    }

    private static func port(in line: String) -> UInt16 {
        line.split { $0 == " " || $0 == ":" }.last.flatMap { UInt16($0) } ?? 0
    }

    /// User and system time of the loop's thread; zero before `findLoop` was called.
    var loopTime: Nanoseconds { threadTime(loopThread) }

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

    private static func temporaryFile(_ text: String) throws -> String {
        var path = Array("/tmp/reload-router-bench-XXXXXX".utf8CString)
        let file = unsafe mkstemp(&path)
        if file < 0 { throw BenchFailure("a file cannot be created in /tmp") }
        defer { close(file) }
        let bytes = Array(text.utf8)
        if unsafe write(file, bytes, bytes.count) != bytes.count {
            throw BenchFailure("the app file cannot be written to /tmp")
        }
        return String(
            decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }
}

/// Says what a benchmark does now.
func printProgress(_ text: String) {
    Progress.update(text)
}
