import DataStructures
import StrictJSON
import Times

/// A program that pushes with one of the client libraries, and says how long that took.
///
/// It is called with `HOST PORT APP TOKEN PRODUCER COUNT`, and prints
/// `{"pushes":N,"seconds":S,"cpuSeconds":S}` when all pushes are acknowledged.
struct PushClient {
    /// The language of the library.
    let name: String
    private let program: BenchProgram
    private let arguments: [String]

    /// The library of this package.
    static var swift: PushClient {
        PushClient(name: "swift", program: .lab, arguments: ["bench", "client"])
    }

    private init(name: String, program: BenchProgram, arguments: [String]) {
        self.name = name
        self.program = program
        self.arguments = arguments
    }

    /// The library of a language.
    ///
    /// - Parameters:
    ///   - folder: where the libraries are, each in a folder with its `conformance.json`.
    ///   - language: the name of its folder.
    /// - Throws: `BenchFailure` if it names no command.
    init(in folder: String, language: String) throws {
        let path = "\(folder)/\(language)"
        guard let description = try? Self.parse(readText("\(path)/conformance.json")),
            case .list(let words) = description.member("bench")
        else { throw BenchFailure("\(path)/conformance.json has no command named bench") }
        let command = words.compactMap { word -> String? in
            if case .string(let text) = word { text } else { nil }
        }
        if command.isEmpty || command.count < words.count {
            throw BenchFailure("in \(path)/conformance.json, bench is no list of words")
        }
        self.init(name: language, program: .env, arguments: ["--chdir", path] + command)
    }

    /// The pushes a second that its authors have promised; nil for those that promise nothing.
    var leastRate: Double? {
        switch name {
        case "go", "java", "csharp": 300_000
        case "node": 150_000
        case "python": 60_000
        default: nil
        }
    }

    /// Lets it push to a router on this machine.
    ///
    /// - Parameters:
    ///   - count: the number of pushes.
    ///   - port: the router's port.
    ///   - producer: the producer's name.
    /// - Returns: the client's own time and CPU time, without those for starting and connecting.
    /// - Throws: `BenchFailure` if it does not run, or prints something else.
    func push(_ count: Int, port: UInt16, producer: String) throws -> BenchWindow {
        let output = try BenchProcess.output(
            of: program,
            arguments: arguments
                + ["127.0.0.1", "\(port)", BenchApp.name, "none", producer, "\(count)"]
        )
        guard let result = try? Self.parse(output),
            let pushes = Self.number("pushes", in: result),
            let seconds = Self.number("seconds", in: result),
            let cpuSeconds = Self.number("cpuSeconds", in: result)
        else { throw BenchFailure("the client in \(name) printed \(output)") }
        return BenchWindow(
            operations: Int(pushes),
            time: Nanoseconds(seconds: seconds),
            cpu: Nanoseconds(seconds: cpuSeconds)
        )
    }

    private static func parse(_ text: String) throws -> JSONValue {
        try Array(text.utf8).withByteView { bytes throws(JSONError) in
            try JSONValue(parsing: bytes)
        }
    }

    private static func number(_ name: String, in object: JSONValue) -> Double? {
        guard case .number(let text) = object.member(name) else { return nil }
        return Double(text)
    }
}
