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
            1 if the run could not be played.
            """
    )

    @OptionGroup var options: FleetOptions

    @OptionGroup var protection: SecurityOptions

    private func tokenHint(_ error: any Error) -> String {
        guard case .refused(let code, _, _)? = error as? ClientError else { return "" }
        return MissingToken.hint(code: code, isGiven: options.tokens.isGiven)
    }

    func run() async throws {
        var bundles: [String: [WidgetDeclaration]] = [:]
        for bundle in ExampleBundle.allCases { bundles[bundle.rawValue] = bundle.declarations }
        do {
            let security = try protection.security()
            // A router of its own is on this machine, and has no TLS.
            let adminSecurity = options.to == nil ? .automatic : security
            let runner = FleetRunner(
                options,
                bundles: bundles,
                security: security,
                startRouter: OwnRouter.start,
                askAdmin: {
                    AdminInquiry.answers($0, security: adminSecurity, tokenFile: $1, paths: $2)
                },
                progress: Progress.show
            )
            try await runner.run()
        } catch {
            let wrongPort = PortProbe.sentence(forClientOf: options.to)
            writeStandardError("reload-lab fleet: \(wrongPort ?? "\(error)\(tokenHint(error))")\n")
            throw ExitCode(1)
        }
    }
}
