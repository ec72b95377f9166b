import ArgumentParser
import CommandSupport
import ReloadModel

/// The program `reload-lab`: measures a router, records and replays its traffic, and plays devices.
/// It is a separate program, so that `reload-router` contains none of this code.
@main
struct ReloadLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload-lab",
        abstract: "Measures a router, records and replays its traffic, and plays its devices.",
        discussion: """
            The router itself is `reload-router`. Commands that need a router start the program of \
            that name beside this one, or the one that RELOAD_LAB_ROUTER names.
            """,
        version: Release.version,
        subcommands: [
            Bench.self, Fleet.self, Simulate.self, Replay.self, CaptureCommand.self, Record.self,
            Screen.self,
        ]
    )
}
