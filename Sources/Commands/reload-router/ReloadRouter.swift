import ArgumentParser

/// The command: one word, and a subcommand for each thing to do.
@main
struct ReloadRouter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload-router",
        abstract: "Reloads only the widgets that a push concerns.",
        discussion: """
            Start a router with `serve`, register widgets with `device`, push with `push`. The wire \
            protocol is described in protocol/README.md.
            """,
        version: version,
        subcommands: [
            Serve.self, Push.self, Device.self, Check.self, Match.self, Explain.self, Simulate.self,
            Fleet.self, Record.self, Replay.self, CaptureCommand.self, StoreCommand.self, Top.self,
            Producers.self, Bench.self, Version.self,
        ]
    )

    /// The version of the router; the wire protocol has a version of its own.
    static let version = "0.1.0"
}

struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the version of the router and of the protocol it speaks."
    )

    func run() {
        print("reload-router \(ReloadRouter.version), protocol 1")
    }
}
