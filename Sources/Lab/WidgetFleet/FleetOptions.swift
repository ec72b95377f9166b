package import ArgumentParser
internal import LibuvLoop
internal import Platform

/// The tokens by which a load test proves itself to a router.
package struct RoleTokens: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Token of all roles that are given none of their own. (default: $RELOAD_ROUTER_TOKEN)",
            valueName: "token"
        )
    )
    var token: String?

    @Option(help: ArgumentHelp("Token of publishers. (default: --token)", valueName: "token"))
    var publisherToken: String?

    @Option(help: ArgumentHelp("Token of gateways. (default: --token)", valueName: "token"))
    var gatewayToken: String?

    @Option(
        help: ArgumentHelp("Token of devices with sessions. (default: --token)", valueName: "token")
    )
    var deviceToken: String?

    /// No tokens; the parser fills in those of the command line.
    package init() {}

    private var all: String? { token ?? environmentVariable("RELOAD_ROUTER_TOKEN") }
    /// The token in the HELLOs of publishers; nil for none.
    package var publisher: String? { publisherToken ?? all }
    /// The token in the HELLOs of gateways; nil for none.
    package var gateway: String? { gatewayToken ?? all }
    /// The token in the HELLOs of devices with sessions of their own; nil for none.
    package var device: String? { deviceToken ?? all }
    /// Whether there is any.
    package var isGiven: Bool { publisher != nil || gateway != nil || device != nil }
}

/// The command line of a fleet: of `reload-lab fleet`, and of programs with widgets of their own.
package struct FleetOptions: ParsableArguments {
    /// How a fleet's own router spreads dates.
    enum Jitter: String, ExpressibleByArgument, CaseIterable, Sendable {
        case none, uniform, ledger
    }

    @Argument(
        help: ArgumentHelp("Scenario to play, a JSON file.", valueName: "scenario"),
        completion: .file(extensions: ["json"])
    )
    var scenario: String

    /// The address of the router, `HOST:PORT` or `PORT`; nil to start a router for the run.
    @Option(
        help: ArgumentHelp(
            "Address of the router to load; a port alone is one of this machine.",
            valueName: "host:port"
        )
    )
    package var to: String?

    /// The tokens of the publisher, the gateways and the devices.
    @OptionGroup package var tokens: RoleTokens

    @Option(
        help: ArgumentHelp(
            "Admin server of that router, to ask it at the end why RELOADs have not come.",
            valueName: "host:port"
        )
    )
    var admin: String?

    @Option(
        help: ArgumentHelp(
            "A file with the admin server's token in its first line.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Option(help: "Number of devices, in place of the scenario's.")
    var devices: Int?

    @Option(help: "Number of seconds to measure, in place of the scenario's.")
    var seconds: Double?

    @Option(help: "Seed for the devices, their widgets and everything they do.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Number of gateways for all devices.", valueName: "connections"))
    var gateways = 4

    @Flag(help: "Use one connection for each device, in place of gateways.")
    var connectionEach = false

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
    var apns: String?

    @Option(
        help: ArgumentHelp(
            "That router's listener for devices without a session (its --publish).",
            valueName: "url"
        )
    )
    var publish: String?

    @Flag(help: "Play router, origin and devices in one process, as fast as possible.")
    var accelerated = false

    @Option(help: "Spread all dates as none, uniform or ledger, in place of the app file's.")
    var jitter: Jitter?

    @Option(help: ArgumentHelp("Window in which --jitter spreads the dates.", valueName: "seconds"))
    var window: Int?

    @Flag(help: "Play the run three times, with each jitter, and compare what the origin sees.")
    var compareJitter = false

    @Option(
        help: ArgumentHelp(
            "Address at which a browser displays the first 64 devices, such as 127.0.0.1:7412.",
            valueName: "host:port"
        )
    )
    var page: String?

    @Option(
        help: ArgumentHelp("Write the report as JSON; - for standard output.", valueName: "file")
    )
    var json: String?

    @Option(help: ArgumentHelp("Write the report as one HTML page.", valueName: "file"))
    var report: String?

    @Option(help: ArgumentHelp("Write the compared curves as SVG.", valueName: "file"))
    var picture: String?

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
