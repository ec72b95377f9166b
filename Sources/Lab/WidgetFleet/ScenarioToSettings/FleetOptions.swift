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
            "Address at which a browser displays the first 64 devices, such as 127.0.0.1:7413.",
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
        if let page, PageAddress(page) == nil { throw PageAddress.problem(page) }
        let apnsAddress = apns.map { Endpoint($0, defaultPort: 2_197) }
        let problems: [(isThere: Bool, sentence: String)] = [
            (accelerated && page != nil, "--page cannot be combined with --accelerated"),
            (
                accelerated && to != nil,
                "--accelerated plays a router of its own: it cannot be combined with --to"
            ),
            (
                accelerated && connectionEach,
                "--accelerated has gateways and no sockets: it cannot be combined with "
                    + "--connection-each"
            ),
            (
                (jitter != nil || compareJitter) && to != nil,
                "--jitter and --compare-jitter change the app file of the fleet's own router: "
                    + "they cannot be combined with --to"
            ),
            (
                compareJitter && jitter != nil,
                "--compare-jitter plays every --jitter: give one of them"
            ),
            (
                window != nil && jitter == nil && !compareJitter,
                "--window requires --jitter or --compare-jitter"
            ),
            (
                !(1...86_400).contains(window ?? 1),
                "--window is \(window ?? 1); it must be from 1 to 86400"
            ),
            (picture != nil && !compareJitter, "--picture requires --compare-jitter"),
            (
                !(1...1_024).contains(gateways),
                "--gateways is \(gateways); it must be from 1 to 1024"
            ),
            (
                publish != nil && (apns == nil || to == nil),
                "--publish requires --apns and --to: the fleet knows that of its own router"
            ),
            (
                apnsAddress.map { ($0?.port ?? 0) == 0 } ?? false,
                Endpoint.problem(apns ?? "", of: "--apns", suchAs: "127.0.0.1:2197")
            ),
            (
                apns != nil && to != nil && publish == nil,
                "--apns requires --publish beside --to: devices report over HTTP"
            ),
            (apns != nil && accelerated, "--apns cannot be combined with --accelerated"),
            (apns != nil && connectionEach, "--apns cannot be combined with --connection-each"),
            (apns != nil && page != nil, "--apns cannot be combined with --page"),
            (apns != nil && compareJitter, "--apns cannot be combined with --compare-jitter"),
            (
                admin != nil && to == nil,
                "--admin requires --to: the fleet knows that of its own router"
            ),
            (tokenFile != nil && admin == nil, "--token-file requires --admin"),
            (
                admin.map { Endpoint($0, defaultPort: 7_411) == nil } ?? false,
                Endpoint.problem(admin ?? "", of: "--admin", suchAs: "localhost:7411")
            ),
            (to.map { Endpoint($0) == nil } ?? false, Endpoint.problem(to ?? "", of: "--to")),
        ]
        if let problem = problems.first(where: \.isThere) {
            throw ValidationError(problem.sentence)
        }
    }
}
