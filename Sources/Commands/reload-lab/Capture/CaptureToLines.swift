import ArgumentParser
import Basics
import CaptureFiles
import CaptureFormat
import CommandSupport
import StoreFormat

/// `capture to-jsonl`: prints a recording as lines of JSON.
struct CaptureToLines: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "to-jsonl",
        abstract: "Print a recording as JSON, one record per line.",
        discussion: """
            The header, then a line for each record, in the order of their times:

              {"capture":2,"recording":"…","startedAt":1795000000000000}
              {"time":1500,"connection":1,"kind":"hello","body":{"v":1,"role":"publisher",…}}
              {"time":1702,"connection":1,"kind":"push","urgent":true,"seq":7,"body":{…}}

            What later files of a recording repeat so that they can be read alone is left out.
            """
    )

    @OptionGroup var options: CaptureOptions

    @Option(help: "File to create. (default: standard output)", of: "file", name: .shortAndLong)
    var output: String?

    func run() throws {
        let reader = try CaptureReader(paths: options.files)
        let lines = try LineWriter(output)
        try lines.put(CaptureLine.text(of: reader.header))
        try Self.print(reader, to: lines)
        try lines.finish()
        warnOfGaps(reader)
    }

    private static func print(_ reader: CaptureReader, to lines: LineWriter) throws {
        var scanner = CaptureLine.scanner()
        var sessions = CaptureSessions()
        let first = reader.files[0].path
        while let block = try reader.nextChunk() {
            _ = try block.each { record in
                let isNew = sessions.take(record)
                if isNew || block.path == first {
                    try lines.put(CaptureLine.text(of: record, using: &scanner))
                }
                return true
            }
        }
    }
}

/// `capture from-jsonl`: makes a recording of lines in the form of `to-jsonl`.
struct CaptureFromLines: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "from-jsonl",
        abstract: "Create a recording from lines as to-jsonl prints them.",
        discussion: "Records must stand in the order of their times."
    )

    @Argument(help: "File with the lines, or - for standard input.", completion: .file())
    var file: String = "-"

    @OptionGroup var target: CaptureTarget

    func run() throws {
        var lines = try LineReader(file)
        let name = lines.name
        guard let first = try lines.nextNonBlank() else {
            throw CaptureError(.text, message: "\(name) has no lines")
        }
        var reader = CaptureLineReader()
        let header = try naming(name, line: first) { view throws(CaptureError) in
            try reader.header(view)
        }
        var output = try CaptureFile(path: target.output, header: header)
        var time = header.firstTime
        while let line = try lines.nextNonBlank() {
            try naming(name, line: line) { view throws(CaptureError) in
                try reader.record(view) { record throws(CaptureError) in
                    if record.time < time {
                        throw CaptureError(
                            .text,
                            message: "the time is before that of the record before"
                        )
                    }
                    time = record.time
                    try output.put(record)
                }
            }
        }
        let count = output.recordCount
        try output.close()
        printLine("\(target.output): \(counted(count, noun: "record"))")
    }

    /// Calls `body` with a line, and adds the name of the input and the line's number to its error.
    private func naming<Result>(
        _ name: String,
        line: LineReader.Line,
        body: (ByteView) throws(CaptureError) -> Result
    ) throws(CaptureError) -> Result {
        do throws(CaptureError) {
            return try line.bytes.withByteView(body)
        } catch {
            if error.code != .text && error.code != .newer { throw error }
            throw CaptureError(
                error.code,
                message: "\(name), line \(line.number): \(error.message)"
            )
        }
    }
}
