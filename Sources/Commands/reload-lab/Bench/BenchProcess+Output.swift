import Glibc

extension BenchProcess {
    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - program: the program.
    ///   - arguments: its command line.
    /// - Returns: what it wrote to standard output.
    /// - Throws: `BenchFailure` if it cannot be started, or its exit status is not 0.
    static func output(of program: BenchProgram, arguments: [String]) throws -> String {
        let pipe = try makePipe()
        // Benchmarks do not read standard input.
        let nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(nothing) }
        let processID: pid_t
        do {
            processID = try spawn(
                program,
                arguments: arguments,
                input: nothing,
                output: pipe.write,
                log: nil
            )
        } catch {
            close(pipe.read)
            close(pipe.write)
            throw error
        }
        close(pipe.write)
        let output = readToEnd(pipe.read)
        close(pipe.read)
        var status: CInt = 0
        while unsafe waitpid(processID, &status, 0) < 0 && errno == EINTR {}
        // 0 is the wait status of a process that exited by itself with status 0.
        if status != 0 {
            let words = arguments.joined(separator: " ")
            let how = "status \(status >> 8), signal \(status & 0x7f)"
            throw BenchFailure("`\(program.name) \(words)` ended with \(how)")
        }
        return output
    }

    private static func readToEnd(_ file: CInt) -> String {
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(file, &block, block.count)
            if count > 0 { text += block[..<count] }
            if count == 0 || (count < 0 && errno != EINTR) { break }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
