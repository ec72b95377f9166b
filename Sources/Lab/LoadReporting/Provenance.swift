internal import Basics
internal import Foundation

/// Where a report is from: what a reader needs to run the same again, or to compare it.
package struct Provenance: Codable, Equatable, Sendable {
    /// When the run was started, by the clock of the machine, in ms since 1970.
    package var date: Int64
    /// The version of the program that measured.
    package var version: String
    /// The machine on which it ran.
    package var machine: MachineDescription
    /// The command line, without tokens.
    package var command: String

    /// Describes a run of this program that starts now.
    package init() { self.init(CommandLine.arguments, date: .now, machine: .this) }

    /// Describes a run by its arguments, of which the first one is the program.
    init(_ arguments: [String], date: Date, machine: MachineDescription) {
        self.date = Int64(date.timeIntervalSince1970 * 1_000)
        version = Release.version
        self.machine = machine
        command = Self.command(arguments)
    }

    /// The command line as a shell reads it, with `…` in the place of each token.
    private static func command(_ arguments: [String]) -> String {
        var words = arguments
        if let program = words.first { words[0] = URL(fileURLWithPath: program).lastPathComponent }
        for index in words.indices where words[index].hasPrefix("--") {
            let flag = words[index].prefix { $0 != "=" }
            if !flag.hasSuffix("token") { continue }
            if flag.count < words[index].count {
                words[index] = "\(flag)=…"
            } else if index + 1 < words.count {
                words[index + 1] = "…"
            }
        }
        return words.map(quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        if word.wholeMatch(of: #/[A-Za-z0-9_@%+=:,.\/…-]+/#) != nil { return word }
        return "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }

    /// The lines that a report begins with.
    package var lines: [String] {
        let date = Date(timeIntervalSince1970: Double(date) / 1_000).formatted(.iso8601)
        return ["\(date), version \(version), \(machine.text)", command]
    }
}
