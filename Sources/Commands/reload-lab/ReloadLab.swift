import ArgumentParser
import Basics
import Benchmarks
import CommandSupport

/// The program `reload-lab`: measures a router, replays its recorded traffic, and plays devices.
/// It is a separate program, so that `reload-router` contains none of this code.
@main
struct ReloadLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload-lab",
        abstract: "Measures a router, replays recordings of its traffic, and plays its devices.",
        discussion: """
            The router itself is `reload-router`. Commands that need a router start the program of \
            that name beside this one, or the one that RELOAD_LAB_ROUTER names.
            """,
        version: Release.version,
        subcommands: [
            Bench.self, Fleet.self, Simulate.self, Replay.self, Compare.self, CaptureCommand.self,
            Screen.self, APNsMockCommand.self,
        ]
    )

    /// Reads the command line, and runs its command.
    static func main() async {
        do {
            var command = CommandLineParser(Self.self)
                .parse(Array(CommandLine.arguments.dropFirst()))
            let progress = Progress.begin(command, of: Self.self)
            defer { progress?.end() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }
}
