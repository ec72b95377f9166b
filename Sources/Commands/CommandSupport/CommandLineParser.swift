package import ArgumentParser
import Basics

/// Reads the command line of a program, and suggests a name in place of a misspelled one.
package struct CommandLineParser {
    /// An argument that names nothing, and the command whose usage to print.
    package struct Problem: Error {
        /// The innermost command that is known.
        let command: any ParsableCommand.Type
        /// What was wrong, as a sentence without a full stop.
        package let sentence: String
    }

    private let root: any ParsableCommand.Type

    /// Makes a parser for the command of a program.
    package init(_ root: any ParsableCommand.Type) { self.root = root }

    /// Reads a command line, without the name of the program. Prints what is wrong with it, and
    /// ends the process, if it is invalid.
    package func parse(_ arguments: [String]) -> any ParsableCommand {
        do {
            return try command(arguments)
        } catch let problem as Problem {
            writeStandardError(usage(after: problem) + "\n")
            root.exit(withError: ExitCode.validationFailure)
        } catch {
            root.exit(withError: error)
        }
    }

    /// What is wrong, and how the innermost command is called, by its whole name: as the argument
    /// parser, which knows the command alone, says it of other problems.
    package func usage(after problem: Problem) -> String {
        let usage = root.usageString(for: problem.command)
        let name = usage.split(separator: " ").prefix { $0.first?.isLetter == true }
        return """
            Error: \(problem.sentence)
            Usage: \(usage)
              See '\(name.joined(separator: " ")) --help' for more information.
            """
    }

    /// Reads a command line.
    ///
    /// - Throws: `Problem`, or an error of the argument parser.
    package func command(_ arguments: [String]) throws -> any ParsableCommand {
        let leaf = try leaf(arguments)
        do {
            return try root.parseAsRoot(arguments)
        } catch {
            // The argument parser looks for what is missing first: a misspelled flag is often the
            // reason why something is.
            let isMissing = root.message(for: error).hasPrefix("Missing expected argument")
            if isMissing, let sentence = Self.unknownFlag(arguments, of: leaf) {
                throw Problem(command: leaf, sentence: sentence)
            }
            throw error
        }
    }

    /// The innermost command that the arguments name.
    private func leaf(_ arguments: [String]) throws(Problem) -> any ParsableCommand.Type {
        var command = root
        for argument in arguments {
            let configuration = command.configuration
            let known = configuration.subcommands
            if known.isEmpty || argument.hasPrefix("-") || argument == "help" { break }
            if let next = known.first(where: { $0._commandName == argument }) {
                command = next
                continue
            }
            if configuration.defaultSubcommand != nil { break }
            let names = known.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
            let hint = Spelling.hint(for: argument, among: names)
            throw Problem(
                command: command,
                sentence: "there is no command \(quotation(argument))"
                    + (hint.isEmpty ? "; there are \(names.joined(separator: ", "))" : hint)
            )
        }
        return command
    }

    /// A sentence about the first flag that the command does not have; nil if it has them all, or
    /// if none of its flags is near.
    private static func unknownFlag(
        _ arguments: [String],
        of command: any ParsableCommand.Type
    ) -> String? {
        let help = command.helpMessage(includeHidden: true, columns: 200)
        let known = Set(
            help.split { !($0 == "-" || $0.isLetter || $0.isNumber) }.map(String.init)
                .filter { $0.hasPrefix("--") && $0.count > 2 }
        )
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let flag = String(argument.prefix { $0 != "=" })
            if known.contains(flag) { continue }
            if let near = Spelling.nearest(to: flag, among: known.sorted()) {
                return "there is no flag \(quotation(flag)); did you mean \(near)?"
            }
        }
        return nil
    }
}

/// Checks the numbers given with an option, whose name has its dashes.
package func checkNumbers(
    _ values: [Int],
    within limits: ClosedRange<Int>,
    of option: String
) throws(ValidationError) {
    for value in values where !limits.contains(value) {
        throw ValidationError(
            "\(option) is \(value); it must be from \(limits.lowerBound) to \(limits.upperBound)"
        )
    }
}
