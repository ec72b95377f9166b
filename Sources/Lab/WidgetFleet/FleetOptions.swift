package import ArgumentParser
internal import LibuvLoop

/// The command line of a fleet: of `reload-lab fleet`, and of programs with widgets of their own.
package struct FleetOptions: ParsableArguments {
    /// How a fleet's own router spreads dates.
    package enum Jitter: String, ExpressibleByArgument, CaseIterable, Sendable {
        case none, uniform, ledger
    }

    @Argument(
        help: ArgumentHelp("The scenario, a JSON file.", valueName: "scenario"),
        completion: .file(extensions: ["json"])
    )
    package var scenario: String

    @Option(help: ArgumentHelp("The router to load.", valueName: "host:port"))
    package var to: String?

    @Option(help: "Devices, in place of the scenario's.")
    package var devices: Int?

    @Option(help: "Seconds that are measured, in place of the scenario's.")
    package var seconds: Double?

    @Option(help: "Determines who has what, and when who does what.")
    package var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Gateways that speak for all devices.", valueName: "connections"))
    package var gateways = 4

    @Flag(help: "One connection for each device, in place of gateways.")
    package var connectionEach = false

    @Flag(help: "Play router, origin and devices in one process, as fast as it can.")
    package var accelerated = false

    @Option(help: "Spread all dates as none, uniform or ledger, in place of the app file's.")
    package var jitter: Jitter?

    @Option(help: ArgumentHelp("The window for that.", valueName: "seconds"))
    package var window: Int?

    @Flag(help: "Play the run three times, with each jitter, and compare what the origin sees.")
    package var compareJitter = false

    @Option(
        help: ArgumentHelp(
            "Show the screens of the first 64 devices in a browser, such as 127.0.0.1:7412.",
            valueName: "host:port"
        )
    )
    package var page: String?

    @Option(
        help: ArgumentHelp("Write the report as JSON; - for standard output.", valueName: "file")
    )
    package var json: String?

    @Option(help: ArgumentHelp("Write the report as one HTML page.", valueName: "file"))
    package var report: String?

    @Option(help: ArgumentHelp("Write the compared curves as SVG.", valueName: "file"))
    package var picture: String?

    package init() {}

    package func validate() throws {
        if let page {
            if accelerated { throw ValidationError("--page shows real time, not --accelerated") }
            if PageAddress(page) == nil { throw PageAddress.problem(page) }
        }
        if accelerated && to != nil {
            throw ValidationError("--accelerated plays a router of its own: there is no --to then")
        }
        if accelerated && connectionEach {
            throw ValidationError(
                "--accelerated has gateways and no sockets: there is no --connection-each then"
            )
        }
        if (jitter != nil || compareJitter) && to != nil {
            throw ValidationError(
                "--jitter and --compare-jitter change the app file of a router of one's own: "
                    + "there is no --to then"
            )
        }
        if compareJitter && jitter != nil {
            throw ValidationError("--compare-jitter plays every --jitter: give one of them")
        }
        if window != nil && jitter == nil && !compareJitter {
            throw ValidationError("--window belongs to --jitter or --compare-jitter")
        }
        if let window, !(1...86_400).contains(window) {
            throw ValidationError("--window is \(window); it must be from 1 to 86400")
        }
        if picture != nil && !compareJitter {
            throw ValidationError("--picture belongs to --compare-jitter")
        }
        if gateways < 1 || gateways > 1_024 {
            throw ValidationError("--gateways is \(gateways); it must be from 1 to 1024")
        }
        if let to, Endpoint(to) == nil {
            throw ValidationError(Endpoint.problem(to, of: "--to"))
        }
    }
}
