import ArgumentParser
import Basics
import CommandSupport
import Platform

/// The program `reload-router`: the router itself (`serve`), and the commands of its operators and
/// clients.
@main
struct ReloadRouter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload-router",
        abstract: "Reloads only the widgets that a push matches.",
        discussion: """
            Start a router with `serve`, register widgets with `device`, push with `push`. The wire \
            protocol is described in protocol/README.md.
            """,
        version: Release.version,
        subcommands: [
            Serve.self, Push.self, Device.self, Check.self, Match.self, Explain.self,
            StoreCommand.self, Top.self, Dashboard.self, Health.self, Producers.self,
            Devices.self, History.self, CertificateCommand.self, TokenCommand.self,
            AuditCommand.self, ContextCommand.self, Version.self,
        ]
    )

    /// Runs the command on the process's first thread, which `serve` then keeps for its loop.
    @MainActor static func main() async {
        do {
            var command = CommandLineParser(Self.self)
                .parse(Array(CommandLine.arguments.dropFirst()))
            // Commands have secrets, too; `serve` may be asked for reports by its settings.
            if !(command is Serve) { CrashReports.forbid() }
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

/// `version`: prints the versions of the program and of the protocol.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the version of the router and of the protocol it speaks."
    )

    func run() { print("\(Release.router), protocol 1") }
}
