package import ArgumentParser
internal import LibuvLoop

/// The command line of a fleet: of `reload-lab fleet`, and of programs with widgets of their own.
package struct FleetOptions: ParsableArguments {
    /// How a fleet's own router spreads dates.
    package enum Jitter: String, ExpressibleByArgument, CaseIterable, Sendable {
        case none, uniform, ledger
    }

    /// The path of the scenario, a JSON file.
    @Argument(
        help: ArgumentHelp("Scenario to play, a JSON file.", valueName: "scenario"),
        completion: .file(extensions: ["json"])
    )
    package var scenario: String

    /// The address of the router, `HOST:PORT` or `PORT`; nil to start a router for the run.
    @Option(
        help: ArgumentHelp(
            "Address of the router to load; a port alone is one of this machine.",
            valueName: "host:port"
        )
    )
    package var to: String?

    /// The token for all roles without one of their own; nil for that of `RELOAD_ROUTER_TOKEN`.
    @Option(
        help: ArgumentHelp(
            "Token of all roles. (default: $RELOAD_ROUTER_TOKEN)",
            valueName: "token"
        )
    )
    package var token: String?

    /// The token of the publisher; nil for `token`.
    @Option(
        help: ArgumentHelp("Token of the publisher. (default: --token)", valueName: "token")
    )
    package var publisherToken: String?

    /// The token of the gateway; nil for `token`.
    @Option(help: ArgumentHelp("Token of the gateway. (default: --token)", valueName: "token"))
    package var gatewayToken: String?

    /// The token of the devices; nil for `token`.
    @Option(help: ArgumentHelp("Token of the devices. (default: --token)", valueName: "token"))
    package var deviceToken: String?

    /// The admin server of the router at `to`; nil not to ask it anything.
    @Option(
        help: ArgumentHelp(
            "Admin server of that router, to ask it at the end why RELOADs have not come.",
            valueName: "host:port"
        )
    )
    package var admin: String?

    /// The path of a file with the admin server's token; nil if it needs none.
    @Option(
        help: ArgumentHelp(
            "A file with the admin server's token in its first line.",
            valueName: "file"
        ),
        completion: .file()
    )
    package var tokenFile: String?

    /// The number of devices; nil for that of the scenario.
    @Option(help: "Number of devices, in place of the scenario's.")
    package var devices: Int?

    /// How long to measure, in s; nil for the duration of the scenario.
    @Option(help: "Number of seconds to measure, in place of the scenario's.")
    package var seconds: Double?

    /// The seed from which all random choices of the run follow.
    @Option(help: "Seed for the devices, their widgets and everything they do.")
    package var seed: UInt64 = 1

    /// The number of connections that speak for all devices, from 1 to 1,024.
    @Option(help: ArgumentHelp("Number of gateways for all devices.", valueName: "connections"))
    package var gateways = 4

    /// Whether each device has a connection of its own, instead of gateways.
    @Flag(help: "Use one connection for each device, in place of gateways.")
    package var connectionEach = false

    /// Where the fleet plays APNs, `HOST:PORT`; nil if the devices have sessions.
    @Option(
        help: ArgumentHelp(
            """
            Address at which the fleet plays Apple's push service, without TLS, such as \
            127.0.0.1:2197: no device has a session. The devices register and report over HTTP, \
            and the router pushes to them.
            """,
            valueName: "host:port"
        )
    )
    package var apns: String?

    /// The listener for publishers and devices of the router at `to`, an address such as
    /// `http://127.0.0.1:7412`; nil if there is none.
    @Option(
        help: ArgumentHelp(
            "That router's listener for devices without a session (its --publish).",
            valueName: "url"
        )
    )
    package var publish: String?

    /// Whether to simulate router, origin and devices in this process, without sockets.
    @Flag(help: "Play router, origin and devices in one process, as fast as possible.")
    package var accelerated = false

    /// How the fleet's own router spreads dates; nil for the modes of the app file.
    @Option(help: "Spread all dates as none, uniform or ledger, in place of the app file's.")
    package var jitter: Jitter?

    /// The window over which `jitter` spreads dates, in s; nil for that of the app file.
    @Option(help: ArgumentHelp("Window in which --jitter spreads the dates.", valueName: "seconds"))
    package var window: Int?

    /// Whether to play the scenario once with each `Jitter` and to compare the runs.
    @Flag(help: "Play the run three times, with each jitter, and compare what the origin sees.")
    package var compareJitter = false

    /// The address on this machine at which browsers see the devices; nil for no page.
    @Option(
        help: ArgumentHelp(
            "Address at which a browser displays the first 64 devices, such as 127.0.0.1:7412.",
            valueName: "host:port"
        )
    )
    package var page: String?

    /// Where to write the report as JSON: a path, or `-` for standard output; nil for nowhere.
    @Option(
        help: ArgumentHelp("Write the report as JSON; - for standard output.", valueName: "file")
    )
    package var json: String?

    /// Where to write the report as an HTML page; nil for nowhere.
    @Option(help: ArgumentHelp("Write the report as one HTML page.", valueName: "file"))
    package var report: String?

    /// Where to write the picture of `compareJitter` as SVG; nil for nowhere.
    @Option(help: ArgumentHelp("Write the compared curves as SVG.", valueName: "file"))
    package var picture: String?

    /// The default options; the parser fills in those of the command line.
    package init() {}

    /// Checks ranges, and that no two options contradict each other.
    ///
    /// - Throws: `ValidationError` for the first problem.
    package func validate() throws {
        if let page {
            if accelerated { throw ValidationError("--page cannot be combined with --accelerated") }
            if PageAddress(page) == nil { throw PageAddress.problem(page) }
        }
        if accelerated && to != nil {
            throw ValidationError(
                "--accelerated plays a router of its own: it cannot be combined with --to"
            )
        }
        if accelerated && connectionEach {
            throw ValidationError(
                "--accelerated has gateways and no sockets: it cannot be combined with "
                    + "--connection-each"
            )
        }
        if (jitter != nil || compareJitter) && to != nil {
            throw ValidationError(
                "--jitter and --compare-jitter change the app file of the fleet's own router: "
                    + "they cannot be combined with --to"
            )
        }
        if compareJitter && jitter != nil {
            throw ValidationError("--compare-jitter plays every --jitter: give one of them")
        }
        if window != nil && jitter == nil && !compareJitter {
            throw ValidationError("--window requires --jitter or --compare-jitter")
        }
        if let window, !(1...86_400).contains(window) {
            throw ValidationError("--window is \(window); it must be from 1 to 86400")
        }
        if picture != nil && !compareJitter {
            throw ValidationError("--picture requires --compare-jitter")
        }
        if gateways < 1 || gateways > 1_024 {
            throw ValidationError("--gateways is \(gateways); it must be from 1 to 1024")
        }
        try validateAPNs()
        if admin != nil && to == nil {
            throw ValidationError("--admin requires --to: the fleet knows that of its own router")
        }
        if tokenFile != nil && admin == nil {
            throw ValidationError("--token-file requires --admin")
        }
        if let admin, Endpoint(admin, defaultPort: 7_411) == nil {
            let problem = Endpoint.problem(admin, of: "--admin", suchAs: "localhost:7411")
            throw ValidationError(problem)
        }
        if let to, Endpoint(to) == nil {
            throw ValidationError(Endpoint.problem(to, of: "--to"))
        }
    }

    /// Checks the options for a run without sessions.
    private func validateAPNs() throws {
        if publish != nil && (apns == nil || to == nil) {
            throw ValidationError(
                "--publish requires --apns and --to: the fleet knows that of its own router"
            )
        }
        guard let apns else { return }
        guard let address = Endpoint(apns, defaultPort: 2_197), address.port > 0 else {
            throw ValidationError(Endpoint.problem(apns, of: "--apns", suchAs: "127.0.0.1:2197"))
        }
        if to != nil && publish == nil {
            throw ValidationError("--apns requires --publish beside --to: devices report over HTTP")
        }
        for (flag, isGiven) in [
            ("--accelerated", accelerated), ("--connection-each", connectionEach),
            ("--page", page != nil), ("--compare-jitter", compareJitter),
        ] where isGiven {
            throw ValidationError("--apns cannot be combined with \(flag)")
        }
    }
}
