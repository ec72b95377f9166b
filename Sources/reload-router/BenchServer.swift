import Glibc

/// A server under measurement: a process of its own, whose CPU time and memory are read from here.
final class BenchServer {
    let processID: pid_t
    let port: UInt16
    /// From its start until it said that it listens, in ns.
    let startTime: Int64
    private let name: String
    private let input: CInt
    private let output: CInt
    private var clock = clockid_t()
    private var isRunning = true
    private var loopThread = ""

    /// Starts the router with an app file of this text.
    ///
    /// A file that is named gets the log; without one, errors go where ours go.
    static func router(
        apps: String,
        store: BenchStoreSettings = .memory,
        log: String? = nil
    ) throws -> BenchServer {
        let path = try temporaryFile(apps)
        // The router has read it when it says that it listens.
        defer { unsafe _ = unlink(path) }
        return try BenchServer(
            "the router",
            [
                "serve", "--listen", "127.0.0.1:0", "--admin", "none", "--apps", path,
                "--log-format", "text", "--log-level", log == nil ? "error" : "info",
            ] + store.flags,
            log: log
        )
    }

    /// Starts one of the reference servers in C.
    static func reference(_ server: BenchReference.Server) throws -> BenchServer {
        try BenchServer(
            "the reference \(server.rawValue)",
            ["bench", "reference", server.rawValue]
        )
    }

    private init(_ name: String, _ arguments: [String], log: String? = nil) throws {
        self.name = name
        let toChild = try Self.makePipe()
        let fromChild = try Self.makePipe()
        let start = monotonicTime()
        processID = try Self.spawn(
            arguments,
            input: toChild.read,
            output: fromChild.write,
            log: log
        )
        close(toChild.read)
        close(fromChild.write)
        input = toChild.write
        output = fromChild.read
        // "listening on 127.0.0.1:PORT" or "listening PORT".
        let line = Self.readLine(fromChild.read)
        let digits = line.split { $0 == " " || $0 == ":" }.last ?? ""
        port = UInt16(digits) ?? 0
        startTime = monotonicTime() - start
        let status = unsafe clock_getcpuclockid(processID, &clock)
        if port == 0 || status != 0 {
            stop()
            throw BenchFailure("\(name) did not start; it said: \(line)")
        }
    }

    deinit { stop() }

    /// User and system time that the process has had, in ns.
    var cpuTime: Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The same of the loop's thread, once `findLoop` was called.
    var loopTime: Int64 { threadTime(loopThread) }

    /// Finds the loop's thread: it works more than any other while the server is loaded.
    func findLoop(while body: () throws -> Void) rethrows {
        let threads = BenchFolder.names(in: "/proc/\(processID)/task")
        let before = threads.map { threadTime($0) }
        try body()
        let work = zip(threads, before).map { (thread: $0, time: threadTime($0) - $1) }
        loopThread = work.max { $0.time < $1.time }?.thread ?? ""
    }

    private func threadTime(_ thread: String) -> Int64 {
        let text = readText("/proc/\(processID)/task/\(thread)/schedstat")
        return text.split(separator: " ").first.flatMap { Int64($0) } ?? 0
    }

    /// Bytes of memory that the process holds.
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

    /// Ends the process.
    ///
    /// Stopping twice is no error.
    func stop() {
        if !isRunning { return }
        isRunning = false
        close(input)
        close(output)
        Glibc.kill(processID, SIGTERM)
        var status: CInt = 0
        for _ in 0..<200 {
            if unsafe waitpid(processID, &status, WNOHANG) != 0 { return }
            usleep(10_000)
        }
        // It drains still, for peers that do not matter any more.
        Glibc.kill(processID, SIGKILL)
        unsafe _ = waitpid(processID, &status, 0)
    }

    /// Ends the process without a warning.
    func kill() {
        if !isRunning { return }
        isRunning = false
        close(input)
        close(output)
        Glibc.kill(processID, SIGKILL)
        var status: CInt = 0
        unsafe _ = waitpid(processID, &status, 0)
    }

    // MARK: - Starting

    private static func makePipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        if unsafe pipe(&ends) != 0 { throw BenchFailure("no pipe can be made") }
        // So that a later server does not keep an earlier one's input open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func spawn(
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
        var list = unsafe (["reload-router"] + arguments).map { unsafe strdup($0) }
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
            "/proc/self/exe",
            &actions,
            nil,
            list,
            variables
        )
        if status != 0 {
            throw BenchFailure(
                "no process can be started: \(unsafe String(cString: strerror(status)))"
            )
        }
        return process
    }

    private static func release(_ texts: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) {
        for index in texts.indices { unsafe free(texts[index]) }
    }

    /// What a process needs to start; the router's own settings must not come from out here.
    private static func environment() -> [String] {
        ["PATH", "HOME", "LD_LIBRARY_PATH"].compactMap { name in
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

    private static func temporaryFile(_ text: String) throws -> String {
        var path = Array("/tmp/reload-router-bench-XXXXXX".utf8CString)
        let file = unsafe mkstemp(&path)
        if file < 0 { throw BenchFailure("no file can be made in /tmp") }
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

/// Nanoseconds of the monotonic clock.
func monotonicTime() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Tells people on standard error what takes so long.
func note(_ text: String) {
    let line = Array("\(text)\n".utf8)
    unsafe _ = write(STDERR_FILENO, line, line.count)
}
