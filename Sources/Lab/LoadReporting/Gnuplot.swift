internal import Foundation
internal import Glibc

/// Draws pictures with gnuplot, which runs as a child process for each of them.
///
/// The script goes to its standard input, the picture comes from its standard output.
package struct Gnuplot: Sendable {
    private let executable: URL

    /// Looks for the program in the folders of a search path.
    ///
    /// - Parameter path: the folders with colons between them; by default the process's own.
    /// - Throws: `GnuplotError.missing` if none of them has it.
    package init(path: String? = nil) throws(GnuplotError) {
        let folders = path ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
        let found = folders.split(separator: ":")
            .map { URL(fileURLWithPath: "\($0)/gnuplot") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw .missing }
        executable = found
    }

    /// What gnuplot writes when it runs a script.
    func output(of script: String) throws(GnuplotError) -> String {
        let process = Process()
        process.executableURL = executable
        let (output, errors) = (Pipe(), Pipe())
        do {
            // A file instead of a pipe: a gnuplot that ends early leaves no broken pipe to write to.
            let input = try Self.anonymousFile(script)
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            try process.run()
        } catch {
            throw .failed("cannot start \(executable.path): \(error)")
        }
        // It writes a few lines to the errors at most: they fit into the pipe.
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0, text.contains("</svg>") else {
            throw .failed(String(decoding: complaint, as: UTF8.self))
        }
        return text
    }

    private static func anonymousFile(_ text: String) throws -> FileHandle {
        let folder = FileManager.default.temporaryDirectory.path
        var path = Array("\(folder)/reload-router-plot-XXXXXX".utf8CString)
        let descriptor = unsafe path.withUnsafeMutableBufferPointer {
            unsafe mkstemp($0.baseAddress!)
        }
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // Without a name it is gone when nobody has it open any more.
        unsafe unlink(path)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(text.utf8))
        try file.seek(toOffset: 0)
        return file
    }
}

/// There is no picture.
package enum GnuplotError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing
    /// With what gnuplot said.
    case failed(String)

    package var description: String {
        switch self {
        case .missing:
            "gnuplot is missing, which draws the plots; the package gnuplot-nox has it "
                + "(apt-get install gnuplot-nox)"
        case .failed(let reason):
            "gnuplot has drawn nothing: "
                + reason.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
