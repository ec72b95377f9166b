import ArgumentParser
import Benchmarks
import CommandSupport
import ExampleWidgets
import LoadReporting
import ReloadRouterClient
import WidgetFleet
import WidgetTimelines

/// `fleet`: plays many devices that run widget code, against a router.
struct Fleet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play many devices that run widgets as iOS does, with their origin requests.",
        discussion: """
            A scenario says how many devices there are, which widgets they have, what their owners \
            do and what is pushed. Without --to the fleet starts a router of its own, in memory, \
            with the scenario's app file. Providers ask an origin in the fleet's process, which can \
            do as much as the scenario says. Ctrl-C ends the run early, with its report. Exit status: \
            1 if the run could not be played, 2 if a threshold of the scenario was missed.
            """
    )

    @OptionGroup var options: FleetOptions

    @OptionGroup var protection: SecurityOptions

    func run() async throws {
        var bundles: [String: [WidgetDeclaration]] = [:]
        for bundle in ExampleBundle.allCases { bundles[bundle.rawValue] = bundle.declarations }
        do {
            let runner = FleetRunner(
                options,
                bundles: bundles,
                security: try protection.security(),
                adminHeaders: { try AdminTokenFile.headers(for: $0, file: $1) },
                progress: Progress.show
            )
            if try await !runner.run() { throw ExitCode(2) }
        } catch let status as ExitCode {
            throw status
        } catch {
            let wrongPort = PortProbe.sentence(forClientOf: options.to)
            let hint = MissingToken.hint(for: error, isGiven: options.tokens.isGiven)
            throw SettingsProblem(wrongPort ?? "\(error)\(hint)")
        }
    }
}
