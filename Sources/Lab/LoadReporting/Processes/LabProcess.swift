package import Basics
internal import Foundation
package import Glibc
internal import Platform

/// A process that is measured, or load-tested. It prints one line when it is ready; its CPU time
/// and memory are read from outside. It is stopped at `deinit`.
package final class LabProcess {
    /// The number of the process.
    package let processID: pid_t
    /// The line that it printed when it was ready.
    package let line: String
    /// The time from its start to that line.
    package let startTime: Nanoseconds
    private let name: String
    /// The pipe to its standard input; -1 once that is closed.
    private var input: CInt
    private let output: CInt
    private var clock = clockid_t()
    private var isRunning = true

    /// Starts the process, and waits for its line. Its standard error goes to the file `log`, or
    /// else where that of this process goes.
    package init(
        _ name: String,
        program: LabProgram,
        arguments: [String],
        log: String? = nil
    ) throws {
        self.name = name
        let toChild = try Self.makePipe()
        let fromChild = try Self.makePipe()
        let start = ExactTime.now
        processID = try Self.spawn(
            program,
            arguments: arguments,
            input: toChild.read,
            output: fromChild.write,
            log: log
        )
        close(toChild.read)
        close(fromChild.write)
        input = toChild.write
        output = fromChild.read
        line = Self.readLine(fromChild.read)
        startTime = ExactTime.now - start
        if unsafe clock_getcpuclockid(processID, &clock) != 0 {
            stop()
            throw LabFailure("\(name) did not start; it printed: \(line)")
        }
    }

    deinit { stop() }

    // MARK: - What it uses

    /// User and system time used so far.
    package var cpuTime: Nanoseconds { .cpu(of: clock) }

    /// User and system time separately, in seconds, with the system's resolution of usually 0.01 s.
    package var cpuSeconds: (user: Double, system: Double) {
        // The name, in parentheses, may contain anything; user time is the twelfth word after it.
        let text = readText("/proc/\(processID)/stat")
        let words = text.split(separator: ")").last?.split(separator: " ") ?? []
        if words.count < 13 { return (.nan, .nan) }
        let ticks = Double(sysconf(CInt(_SC_CLK_TCK)))
        return ((Double(words[11]) ?? .nan) / ticks, (Double(words[12]) ?? .nan) / ticks)
    }

    /// The bytes of its resident memory.
    package func residentBytes() throws -> Int {
        assert(isRunning, "\(name) has been stopped")
        return try Self.residentBytes(of: processID, named: name)
    }

    /// Returns the bytes of a process's resident memory: exactly, unlike `statm`, whose counters
    /// lag.
    package static func residentBytes(of processID: pid_t, named name: String) throws -> Int {
        let lines = readText("/proc/\(processID)/smaps_rollup").split(separator: "\n")
        let words = lines.first { $0.hasPrefix("Rss:") }?.split(separator: " ") ?? []
        guard words.count >= 2, let kilobytes = Int(words[1]) else {
            throw LabFailure("the system does not report the memory of \(name)")
        }
        return kilobytes * 1_024
    }

    // MARK: - Its end

    /// Asks the process to end, and kills it if it has not done so after 2 s. Does nothing if it
    /// was stopped before. If it had crashed, a line on standard error says so.
    package func stop() {
        if !end(SIGTERM) { return }
        var status: CInt = 0
        for _ in 0..<200 {
            if unsafe waitpid(processID, &status, WNOHANG) != 0 {
                let signal = status & 0x7f
                if signal != 0 && signal != SIGTERM {
                    try? FileHandle.standardError.write(
                        contentsOf: Data("\(name) was ended by signal \(signal)\n".utf8)
                    )
                }
                return
            }
            usleep(10_000)
        }
        // The process is still draining, for clients that do not matter any more.
        Glibc.kill(processID, SIGKILL)
        _ = wait()
    }

    /// Kills the process. Does nothing if it was stopped before.
    package func kill() {
        if end(SIGKILL) { _ = wait() }
    }

    /// Waits for its end, and returns its wait status.
    private func wait() -> CInt {
        var status: CInt = 0
        while unsafe waitpid(processID, &status, 0) < 0 && errno == EINTR {}
        isRunning = false
        return status
    }

    /// Closes the pipes and sends a signal; false if that was done before.
    private func end(_ signal: CInt) -> Bool {
        if !isRunning { return false }
        isRunning = false
        endInput()
        close(output)
        Glibc.kill(processID, signal)
        return true
    }

    // MARK: - Starting

    /// Makes a pipe that child processes do not inherit.
    private static func makePipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        if unsafe pipe(&ends) != 0 { throw LabFailure("a pipe cannot be created") }
        // Otherwise a server that is started later would keep the input of an earlier one open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a program; `log` is the file for its standard error, or nil for that of this process.
    private static func spawn(
        _ program: LabProgram,
        arguments: [String],
        input: CInt,
        output: CInt,
        log: String?
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        if let log {
            let flags = O_WRONLY | O_CREAT | O_APPEND
            unsafe posix_spawn_file_actions_addopen(&actions, 2, log, flags, 0o600)
        }
        var list = unsafe ([program.name] + arguments).map { unsafe strdup($0) }
        unsafe list.append(nil)
        var variables = unsafe environment(of: program).map { unsafe strdup($0) }
        unsafe variables.append(nil)
        defer {
            unsafe list.withUnsafeBufferPointer { unsafe release($0) }
            unsafe variables.withUnsafeBufferPointer { unsafe release($0) }
        }
        var process = pid_t()
        let status = unsafe posix_spawnp(&process, program.path, &actions, nil, list, variables)
        if status != 0 {
            throw LabFailure(
                "\(program.path) cannot be started: \(unsafe String(cString: strerror(status)))"
            )
        }
        return process
    }

    private static func release(_ texts: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) {
        for index in texts.indices { unsafe free(texts[index]) }
    }

    /// Returns the environment for the process: only what it needs to start, so that the router's
    /// settings in our own environment do not affect it.
    ///
    /// A router ends with its input, so it does not outlive this process, however that ends. This
    /// is not a flag, because a router of the previous version does not have it.
    private static func environment(of program: LabProgram) -> [String] {
        let names = ["PATH", "HOME", "XDG_STATE_HOME", "LD_LIBRARY_PATH"]
        var values = names.map { ($0, environmentVariable($0)) }
        values.append((LabProgram.routerVariable, program.router ?? LabProgram.namedRouter))
        let inherited = values.compactMap { name, value in value.map { "\(name)=\($0)" } }
        return inherited + ["RELOAD_ROUTER_END_WITH_INPUT=true", "\(progressVariable)=none"]
    }

    // MARK: - Output

    /// Waits for the next line that it prints.
    package func readLine() -> String {
        assert(isRunning, "\(name) has been stopped")
        return Self.readLine(output)
    }

    /// Closes its standard input.
    package func endInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Runs a program to its end, without standard input, and returns what it wrote. An exit status
    /// other than 0 is an error.
    package static func output(of program: LabProgram, arguments: [String]) throws -> String {
        let process = try LabProcess(program.name, program: program, arguments: arguments)
        process.endInput()
        var lines = [process.line]
        while let line = lines.last, !line.isEmpty { lines.append(process.readLine()) }
        close(process.output)
        // 0 is the wait status of a process that exited by itself with status 0.
        let status = process.wait()
        if status == 0 { return lines.joined(separator: "\n") }
        let words = arguments.joined(separator: " ")
        throw LabFailure(
            "`\(program.name) \(words)` ended with status \(status >> 8), signal \(status & 0x7f)"
        )
    }

    private static func readLine(_ file: CInt) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(file, &byte, 1) == 1 && byte != 0x0a { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// An error that keeps a process from being measured, as a sentence.
package struct LabFailure: Error, CustomStringConvertible {
    /// The sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
