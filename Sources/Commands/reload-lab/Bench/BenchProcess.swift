import CommandSupport
import Glibc
import Platform
import Times

/// A process under measurement. It prints one line when it is ready; its CPU time and memory are
/// read from outside. It is stopped at `deinit`.
final class BenchProcess {
    let processID: pid_t
    /// The line that it printed when it was ready.
    let line: String
    /// The time from its start to that line.
    let startTime: Nanoseconds
    private let name: String
    /// The pipe to its standard input; -1 once that is closed.
    private var input: CInt
    private let output: CInt
    private var clock = clockid_t()
    private var isRunning = true

    /// Starts the process, and waits for its line.
    ///
    /// - Parameters:
    ///   - name: what messages call it.
    ///   - program: the program.
    ///   - arguments: its command line.
    ///   - log: the file for its standard error; nil for that of this process.
    /// - Throws: `BenchFailure` if it does not start.
    init(
        _ name: String,
        program: BenchProgram,
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
            throw BenchFailure("\(name) did not start; it printed: \(line)")
        }
    }

    deinit { stop() }

    /// Waits for the next line that it prints.
    func readLine() -> String {
        assert(isRunning, "\(name) has been stopped")
        return Self.readLine(output)
    }

    /// True if it has printed something that was not read, or has ended.
    var hasOutput: Bool {
        var end = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&end, 1, 0) != 0
    }

    /// Closes its standard input.
    func endInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    // MARK: - What it uses

    /// User and system time used so far.
    var cpuTime: Nanoseconds { .cpu(of: clock) }

    /// User and system time separately, in seconds, with the system's resolution of usually 0.01 s.
    var cpuSeconds: (user: Double, system: Double) {
        // The name, in parentheses, may contain anything; user time is the twelfth word after it.
        let text = readText("/proc/\(processID)/stat")
        let words = text.split(separator: ")").last?.split(separator: " ") ?? []
        if words.count < 13 { return (.nan, .nan) }
        let ticks = Double(sysconf(CInt(_SC_CLK_TCK)))
        return ((Double(words[11]) ?? .nan) / ticks, (Double(words[12]) ?? .nan) / ticks)
    }

    /// Returns the bytes of resident memory.
    func residentBytes() throws -> Int {
        assert(isRunning, "\(name) has been stopped")
        return try Self.residentBytes(of: processID, named: name)
    }

    /// Returns the bytes of a process's resident memory: exactly, unlike `statm`, whose counters
    /// lag.
    static func residentBytes(of processID: pid_t, named name: String) throws -> Int {
        guard let file = unsafe fopen("/proc/\(processID)/smaps_rollup", "r") else {
            throw BenchFailure("the memory of \(name) cannot be read")
        }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        while unsafe fgets(&line, CInt(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
                as: UTF8.self
            )
            let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
            if words.count >= 2, words[0] == "Rss:", let kilobytes = Int(words[1]) {
                return kilobytes * 1_024
            }
        }
        throw BenchFailure("the system does not report the memory of \(name)")
    }

    // MARK: - Its end

    /// Checks that the process still runs: otherwise measurements mean nothing.
    ///
    /// - Throws: `BenchFailure` if it has ended by itself.
    func checkRunning() throws {
        assert(isRunning, "\(name) has been stopped")
        var end = unsafe siginfo_t()
        // `WNOWAIT` leaves a process that has ended for `stop` to wait for.
        let flags = WEXITED | WNOHANG | WNOWAIT
        let status = unsafe waitid(P_PID, id_t(processID), &end, flags)
        // `waitid` leaves `end` empty while the process runs.
        if unsafe status != 0 || end.si_signo != 0 {
            throw BenchFailure("\(name) ended unexpectedly")
        }
    }

    /// Asks the process to end, and kills it if it has not done so after 2 s. Does nothing if it
    /// was stopped before. If it had crashed, a line on standard error says so.
    func stop() {
        if !end(SIGTERM) { return }
        var status: CInt = 0
        for _ in 0..<200 {
            if unsafe waitpid(processID, &status, WNOHANG) != 0 {
                let signal = status & 0x7f
                if signal != 0 && signal != SIGTERM {
                    writeStandardError("\(name) was ended by signal \(signal)\n")
                }
                return
            }
            usleep(10_000)
        }
        // The process is still draining, for clients that do not matter any more.
        Glibc.kill(processID, SIGKILL)
        unsafe _ = waitpid(processID, &status, 0)
    }

    /// Kills the process.
    func kill() {
        if !end(SIGKILL) { return }
        var status: CInt = 0
        unsafe _ = waitpid(processID, &status, 0)
    }

    /// Closes the pipes and sends a signal.
    ///
    /// - Returns: false if that was done before.
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
    static func makePipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        if unsafe pipe(&ends) != 0 { throw BenchFailure("a pipe cannot be created") }
        // Otherwise a server that is started later would keep the input of an earlier one open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a program; `log` is the file for its standard error, or nil for that of this process.
    static func spawn(
        _ program: BenchProgram,
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
        var variables = unsafe environment().map { unsafe strdup($0) }
        unsafe variables.append(nil)
        defer {
            unsafe list.withUnsafeBufferPointer { unsafe release($0) }
            unsafe variables.withUnsafeBufferPointer { unsafe release($0) }
        }
        var process = pid_t()
        let status = unsafe posix_spawnp(
            &process,
            program.path,
            &actions,
            nil,
            list,
            variables
        )
        if status != 0 {
            throw BenchFailure(
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
    private static func environment() -> [String] {
        let names = [
            "PATH", "HOME", "XDG_STATE_HOME", "LD_LIBRARY_PATH", BenchProgram.routerVariable,
        ]
        let inherited = names.compactMap { name in environmentVariable(name).map { "\(name)=\($0)" }
        }
        return inherited + ["RELOAD_ROUTER_END_WITH_INPUT=true", "\(Progress.variable)=none"]
    }

    private static func readLine(_ file: CInt) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(file, &byte, 1) == 1 && byte != 0x0a { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
