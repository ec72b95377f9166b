package import Basics
internal import Glibc

/// A server in a process of its own, and the ports it listens on.
package final class LabServer {
    /// Its process.
    package let process: LabProcess
    /// The port of its listener.
    package let port: UInt16
    /// The port of the admin server; 0 if there is none.
    package let adminPort: UInt16
    /// The port for publishers over HTTP; 0 if there is none.
    package let publishPort: UInt16
    private var loopThread = ""

    /// Starts a router with the text of an app file.
    ///
    /// `log` is a file for the router's log; nil to log only errors, to the standard error of this
    /// process.
    package static func router(
        apps: String,
        flags: [String],
        log: String? = nil
    ) throws -> LabServer {
        // The router has read the file once it listens.
        let folder = try TemporaryFolder(in: "/tmp")
        try ReportFile.write(apps, to: folder("apps.json"))
        defer { folder.delete("apps.json") }
        return try LabServer(
            "the router",
            program: .router,
            arguments: [
                "serve", "--listen", "127.0.0.1:0", "--apps", folder("apps.json"),
                "--log-format", "text", "--log-level", log == nil ? "error" : "info",
            ] + flags,
            log: log
        )
    }

    /// Starts a server that prints its addresses. `log` is the file for its standard error; nil for
    /// that of this process.
    package init(
        _ name: String,
        program: LabProgram,
        arguments: [String],
        log: String? = nil
    ) throws {
        process = try LabProcess(name, program: program, arguments: arguments, log: log)
        // If there is an admin server, "admin on 127.0.0.1:PORT" comes first.
        let hasAdmin = process.line.hasPrefix("admin on ")
        adminPort = hasAdmin ? Self.port(in: process.line) : 0
        // The router prints "listening on 127.0.0.1:PORT", a reference "listening PORT".
        let line = hasAdmin ? process.readLine() : process.line
        port = Self.port(in: line)
        if port == 0 { throw LabFailure("\(name) did not start; it printed: \(line)") }
        // The router prints the address of the listener for publishers last.
        let hasListener = arguments.contains("--publish")
        publishPort = hasListener ? Self.port(in: process.readLine()) : 0
    }

    private static func port(in line: String) -> UInt16 {
        line.split { $0 == " " || $0 == ":" }.last.flatMap { UInt16($0) } ?? 0
    }

    /// User and system time of the loop's thread; zero before `findLoop` was called.
    package var loopTime: Nanoseconds { loopThread.isEmpty ? .zero : threadTime(loopThread) }

    /// Finds the loop's thread: the one that uses most CPU while `body` loads the server.
    package func findLoop(while body: () throws -> Void) rethrows {
        let threads = TemporaryFolder.names(in: "/proc/\(process.processID)/task")
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
