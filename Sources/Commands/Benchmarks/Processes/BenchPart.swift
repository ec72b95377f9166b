import ArgumentParser
import Basics
import CReferences
import CommandSupport
import Glibc
import LoadReporting
import Platform

/// The reference servers; `reference_server.h` describes what each does.
enum BenchReference: String {
    case acknowledge
    case relay
    case fanout
}

/// `bench part`: what a benchmark does in a process of its own, so that it delays nothing in the
/// process that measures: a reference server, or another load.
///
/// A load prints “began”, works until standard input ends or its work is done, and then prints its
/// numbers in one line.
struct BenchPart: ParsableCommand {
    /// The parts, with what follows their names.
    enum Name: String, ExpressibleByArgument {
        /// The server, and the files of its certificate, its key and its clients' authority.
        case reference
        /// PORT CONNECTIONS, a 1 if requests have keys, and after how many answers to end; prints
        /// the number of answers, and the seconds.
        case post
        /// KIND PORT, the ports for HTTP and of the admin server, and the process; prints the
        /// frames or requests per second.
        case hostile
        /// BYTES of memory to write to; prints the time and the CPU time in ns.
        case touch
    }

    static let configuration = CommandConfiguration(
        commandName: "part",
        abstract: "Do a part of a benchmark, which starts this process.",
        shouldDisplay: false
    )

    @Argument var name: Name
    @Argument var words: [String] = []

    func run() throws {
        switch name {
        case .reference: try serve()
        case .post: try post()
        case .hostile: try beHostile()
        case .touch: try touch()
        }
    }

    private func number(_ index: Int) throws -> Int {
        guard words.indices.contains(index), let number = Int(words[index]) else {
            throw ValidationError("a number is missing after \(words.joined(separator: " "))")
        }
        return number
    }

    private func serve() throws {
        guard let server = words.first.flatMap({ BenchReference(rawValue: $0) }) else {
            throw ValidationError("there is no such reference server")
        }
        if words.count > 2 {
            let authority = words.count > 3 ? words[3] : nil
            let status = unsafe reference_server_use_tls(words[1], words[2], authority)
            if status != 0 { throw BenchFailure("the reference server cannot use \(words[1])") }
        }
        let status =
            switch server {
            case .acknowledge: reference_server_acknowledge()
            case .relay: reference_server_relay()
            case .fanout: reference_server_fanout()
            }
        if status != 0 { throw BenchFailure("the reference server ended with \(status)") }
    }

    // MARK: - Loads

    /// Prints how many there were until standard input ended, or `limit` is reached, and the
    /// seconds that this took.
    private func count(
        on bench: BenchLoop,
        upTo limit: Int? = nil,
        value: @escaping () -> Int
    ) throws -> (count: Int, seconds: Double) {
        try bench.run(until: "the load began") { value() > 0 }
        printLine("began")
        let (start, before) = (ExactTime.now, limit == nil ? value() : 0)
        if let limit {
            try bench.run(until: "the work was done", within: 3_600) { value() >= limit }
        } else {
            try bench.runUntilInput()
        }
        return (value() - before, (.now - start).inSeconds)
    }

    private func post() throws {
        let bench = try BenchLoop()
        let hasKeys = try number(2) == 1
        let generator = try RequestGenerator.pushes(bench, to: UInt16(number(0)), hasKeys: hasKeys)
        try generator.connect(number(1))
        let limit = words.count > 3 ? try number(3) : nil
        let found = try count(on: bench, upTo: limit) { generator.answerCount }
        printLine("\(found.count) \(found.seconds)")
        try generator.stop()
    }

    private func beHostile() throws {
        // Real senders are elsewhere; here they must not take the processors from what is measured.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        guard let kind = words.first.flatMap({ HostileKind(rawValue: $0) }) else {
            throw ValidationError("there is no such kind")
        }
        let target = try HostileTarget(
            port: UInt16(number(1)),
            publishPort: UInt16(number(2)),
            adminPort: UInt16(number(3)),
            process: Int32(number(4))
        )
        let bench = try BenchLoop()
        let load = try kind.start(on: bench, against: target)
        let found = try count(on: bench, value: load.count)
        printLine("\(Double(found.count) / found.seconds)")
        try load.stop()
    }

    private func touch() throws {
        printLine("began")
        let (start, cpu) = (ExactTime.now, Nanoseconds.processCPU)
        let (bytes, flags) = (try number(0), MAP_PRIVATE | MAP_ANONYMOUS)
        guard let memory = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0),
            unsafe memory != MAP_FAILED
        else { throw BenchFailure("\(bytes) bytes of memory cannot be allocated") }
        for offset in stride(from: 0, to: bytes, by: sysconf(CInt(_SC_PAGESIZE))) {
            unsafe memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
        }
        printLine("\(ExactTime.now - start) \(Nanoseconds.processCPU - cpu)")
    }
}

extension LabProcess {
    /// Starts a load in a process of its own, and waits until it has begun.
    static func part(_ name: BenchPart.Name, words: [String]) throws -> LabProcess {
        let process = try LabProcess(
            "bench part \(name.rawValue)",
            program: .lab,
            arguments: ["bench", "part", name.rawValue] + words
        )
        if process.line == "began" { return process }
        throw BenchFailure("bench part \(name.rawValue) printed: \(process.line)")
    }

    /// Returns the numbers that a load prints once its standard input or its work has ended.
    func numbers(_ count: Int) throws -> [Double] {
        let line = readLine()
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        if numbers.count != count { throw BenchFailure("a part printed no numbers: \(line)") }
        return numbers
    }
}
