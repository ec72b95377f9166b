import ArgumentParser
import CommandSupport
import Testing

@testable import reload_lab
@testable import reload_router

@Suite("A command line")
struct CommandLineParserTests {
    private static let router = CommandLineParser(ReloadRouter.self, formerFlags: FormerNames.flags)
    private static let lab = CommandLineParser(ReloadLab.self, formerFlags: ReloadLab.formerFlags)

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
        "may name a default command by its flags, and ask for help",
        arguments: ["producers --json", "producers list", "help push", "help"]
    )
    func accepted(line: String) {
        #expect(!Self.problem(line, Self.router).contains("there is no"))
    }

    @Test(
        "may use former names, with a notice",
        arguments: [
            ("top --server http://h:1 --once", "top --to http://h:1 --once"),
            ("explain --server=h --push {}", "explain --to=h --push {}"),
            ("producers forget --server 1 a b", "producers forget --to 1 a b"),
        ]
    )
    func formerNames(line: String, present: String) {
        let (arguments, notices) = Self.router.renamed(Self.words(line))
        #expect(arguments == Self.words(present))
        #expect(notices == ["--server is now --to; the former name works for one more version"])
    }

    @Test(
        "is left alone where another command or an argument has the name",
        arguments: ["push --server x {}", "top -- --server x", "serve --to x"]
    )
    func otherCommands(line: String) {
        let (arguments, notices) = Self.router.renamed(Self.words(line))
        #expect(arguments == Self.words(line) && notices.isEmpty)
    }

    @Test(
        "of a replay names router and end with --to and --until, and may use former names",
        arguments: [
            ("replay f --to 24010", "replay f --to 24010"),
            ("replay f --to h:1 --until 9", "replay f --to h:1 --until 9"),
            ("replay f --router h:1", "replay f --to h:1"),
            ("replay f --router h:1 --to 60", "replay f --to h:1 --until 60"),
            ("replay f --to 12.5", "replay f --until 12.5"),
            ("replay f --to 20:15:00Z", "replay f --until 20:15:00Z"),
            ("replay f --to=2026-11-21T20:15:00Z", "replay f --until=2026-11-21T20:15:00Z"),
            ("replay f --dry-run --to 60", "replay f --dry-run --until 60"),
            ("replay f --to 127.0.0.1:7410", "replay f --to 127.0.0.1:7410"),
            ("capture cut f --to 60 -o g", "capture cut f --until 60 -o g"),
        ]
    )
    func replay(line: String, present: String) {
        #expect(Self.lab.renamed(Self.words(line)).arguments == Self.words(present))
    }
}
