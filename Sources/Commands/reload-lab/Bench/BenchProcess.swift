import Glibc
import Platform

/// A process under measurement: it says one line when it is ready, and its CPU time and memory are read
/// from here.
final class BenchProcess {
    let processID: pid_t
    /// What it said.
    let line: String
    /// From its start until it said that, in ns.
    let startTime: Int64
    private let name: String
    /// -1 when it has ended.
    private var input: CInt
    private let output: CInt
    private var clock = clockid_t()
    private var isRunning = true

    /// Starts it, and waits for its line.
    ///
    /// - Parameters:
    ///   - name: what it is, for messages.
    ///   - program: which one is run.
    ///   - arguments: of the command line.
    ///   - log: the file that takes what it says on standard error; ours, if nil.
    /// - Throws: `BenchFailure` if there is no such process.
    init(
        _ name: String,
        _ program: BenchProgram,
        _ arguments: [String],
        log: String? = nil
    ) throws {
        self.name = name
        let toChild = try Self.makePipe()
        let fromChild = try Self.makePipe()
        let start = monotonicNanoseconds()
        processID = try Self.spawn(
            program,
            arguments,
            input: toChild.read,
            output: fromChild.write,
            log: log
        )
        close(toChild.read)
        close(fromChild.write)
        input = toChild.write
        output = fromChild.read
        line = Self.readLine(fromChild.read)
        startTime = monotonicNanoseconds() - start
        if unsafe clock_getcpuclockid(processID, &clock) != 0 {
            stop()
            throw BenchFailure("\(name) did not start; it said: \(line)")
        }
    }

    deinit { stop() }

    /// Waits for the next line that it says.
    func readLine() -> String { Self.readLine(output) }

    /// Ends its standard input.
    func endInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    // MARK: - What it uses

    /// User and system time that it has had, in ns.
    var cpuTime: Int64 { nanoseconds(of: clock) }

    /// The two apart, in seconds, as the system counts them: in hundredths.
    var cpuSeconds: (user: Double, system: Double) {
        // The name, in parentheses, may hold anything; user time is the twelfth word behind it.
        let text = readText("/proc/\(processID)/stat")
        let words = text.split(separator: ")").last?.split(separator: " ") ?? []
        if words.count < 13 { return (.nan, .nan) }
        let ticks = Double(sysconf(CInt(_SC_CLK_TCK)))
        return ((Double(words[11]) ?? .nan) / ticks, (Double(words[12]) ?? .nan) / ticks)
    }

    /// Bytes of memory that it holds.
    func residentBytes() throws -> Int {
        try Self.residentBytes(of: processID, named: name)
    }

    /// Bytes of memory that a process holds: exact, unlike `statm`, which lags per thread.
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
        throw BenchFailure("the memory of \(name) is not told by the system")
    }

    // MARK: - Its end

    /// What was measured while it did not run says nothing.
    ///
    /// - Throws: `BenchFailure` if it has ended by itself.
    func checkRunning() throws {
        var end = unsafe siginfo_t()
        // It is left for `stop` to wait for.
        let flags = WEXITED | WNOHANG | WNOWAIT
        let status = unsafe waitid(P_PID, id_t(processID), &end, flags)
        // Nothing is written there while it runs.
        if unsafe status != 0 || end.si_signo != 0 {
            throw BenchFailure("\(name) has ended before its time")
        }
    }

    /// Ends it.
    ///
    /// Stopping twice is no error.
    func stop() {
        if !end(SIGTERM) { return }
        var status: CInt = 0
        for _ in 0..<200 {
            if unsafe waitpid(processID, &status, WNOHANG) != 0 { return }
            usleep(10_000)
        }
        // It drains still, for peers that do not matter any more.
        Glibc.kill(processID, SIGKILL)
        unsafe _ = waitpid(processID, &status, 0)
    }

    /// Ends it without a warning.
    func kill() {
        if !end(SIGKILL) { return }
        var status: CInt = 0
        unsafe _ = waitpid(processID, &status, 0)
    }

    /// - Returns: whether it has not been ended before.
    private func end(_ signal: CInt) -> Bool {
        if !isRunning { return false }
        isRunning = false
        endInput()
        close(output)
        Glibc.kill(processID, signal)
        return true
    }

    // MARK: - Starting

    static func makePipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        if unsafe pipe(&ends) != 0 { throw BenchFailure("no pipe can be made") }
        // So that a later server does not keep an earlier one's input open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    static func spawn(
        _ program: BenchProgram,
        _ arguments: [String],
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
        var list = unsafe ([program.rawValue] + arguments).map { unsafe strdup($0) }
        unsafe list.append(nil)
        var variables = unsafe environment().map { unsafe strdup($0) }
        unsafe variables.append(nil)
        defer {
            unsafe list.withUnsafeBufferPointer { unsafe release($0) }
            unsafe variables.withUnsafeBufferPointer { unsafe release($0) }
        }
        var process = pid_t()
        let status = unsafe posix_spawn(
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

    /// What a process needs to start; the router's own settings must not come from out here.
    private static func environment() -> [String] {
        ["PATH", "HOME", "LD_LIBRARY_PATH", BenchProgram.routerVariable].compactMap { name in
            guard let value = unsafe getenv(name) else { return nil }
            return "\(name)=\(unsafe String(cString: value))"
        }
    }

    private static func readLine(_ file: CInt) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(file, &byte, 1) == 1 && byte != 0x0a { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
