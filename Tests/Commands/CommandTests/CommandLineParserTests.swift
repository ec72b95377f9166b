import ArgumentParser
import CommandSupport
import Testing

@testable import reload_lab
@testable import reload_router

@Suite("A command line")
struct CommandLineParserTests {
    private static let router = CommandLineParser(ReloadRouter.self)
    private static let lab = CommandLineParser(ReloadLab.self)

    private static func words(_ line: String) -> [String] {
        line.split(separator: " ").map(String.init)
    }

    /// What a parser says about a line; empty if it accepts it.
    private static func problem(_ line: String, _ parser: CommandLineParser) -> String {
        do {
            _ = try parser.command(words(line))
            return ""
        } catch let problem as CommandLineParser.Problem {
            return problem.sentence
        } catch {
            return ReloadRouter.message(for: error)
        }
    }

    @Test(
        "with a misspelled name is refused with the name that was meant",
        arguments: [
            ("pusj", "there is no command pusj; did you mean push?"),
            ("store chek", "there is no command chek; did you mean check?"),
            ("push --ap a {}", "there is no flag --ap; did you mean --app?"),
            ("explain --pussh {}", "there is no flag --pussh; did you mean --push?"),
            ("push --app a --urgnet {}", "Unknown option '--urgnet'. Did you mean '--urgent'?"),
        ]
    )
    func misspelled(line: String, says: String) {
        #expect(Self.problem(line, Self.router) == says)
    }

    @Test("with a name that is near nothing is refused with the names that there are")
    func foreign() {
        let says = Self.problem("frobnicate", Self.router)
        #expect(says.hasPrefix("there is no command frobnicate; there are serve, push, device, "))
        #expect(Self.problem("bench mtach", Self.lab).hasSuffix("did you mean match?"))
    }

    @Test(
        "that is refused is answered with the whole name of the innermost command",
        arguments: [
            ("context frob", "reload-router context <subcommand>", "reload-router context"),
            ("frob", "reload-router <subcommand>", "reload-router"),
            ("store chekk", "reload-router store <subcommand>", "reload-router store"),
        ]
    )
    func usage(line: String, usage: String, name: String) throws {
        let problem = #expect(throws: CommandLineParser.Problem.self) {
            try Self.router.command(Self.words(line))
        }
        let lines = try Self.router.usage(after: #require(problem)).split(separator: "\n")
        #expect(lines[0].hasPrefix("Error: there is no "))
        #expect(lines[1] == "Usage: \(usage)")
        #expect(lines[2] == "  See '\(name) --help' for more information.")
    }

    @Test(
        "may name a default command by its flags, and ask for help",
        arguments: ["producers --json", "producers list", "help push", "help"]
    )
    func accepted(line: String) {
        #expect(!Self.problem(line, Self.router).contains("there is no"))
    }
}
