import ArgumentParser
import Glibc
import Platform
import Times

/// `bench touch`: touches memory once and prints how long that took. `bench restart` starts it as a
/// process.
struct BenchTouch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touch",
        abstract: "Touch each page of new memory once.",
        shouldDisplay: false
    )

    @Argument(help: "Bytes.")
    var bytes: Int

    func run() throws {
        let cpu = Nanoseconds.processCPU
        let start = ExactTime.now
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let memory = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0),
            unsafe memory != MAP_FAILED
        else { throw BenchFailure("\(bytes) bytes of memory cannot be allocated") }
        for offset in stride(from: 0, to: bytes, by: sysconf(CInt(_SC_PAGESIZE))) {
            unsafe memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
        }
        print(ExactTime.now - start, Nanoseconds.processCPU - cpu)
    }

    /// Touches memory in a new process.
    ///
    /// - Returns: the wall time and the CPU time, in seconds.
    static func measure(_ bytes: Int) throws -> (time: Double, cpu: Double) {
        let process = try BenchProcess(
            "bench touch",
            program: .lab,
            arguments: ["bench", "touch", "\(bytes)"]
        )
        defer { process.stop() }
        let numbers = process.line.split(separator: " ").compactMap { Double($0) }
        if numbers.count != 2 { throw BenchFailure("bench touch printed: \(process.line)") }
        return (numbers[0] / 1e9, numbers[1] / 1e9)
    }
}
