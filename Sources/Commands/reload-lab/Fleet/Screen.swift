import ArgumentParser
import Basics
import CommandSupport
import ExampleWidgets
import HTTPServing
import ReloadRouterClient
import WidgetFleet

/// `screen`: plays one device, and shows its screen in a browser.
struct Screen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the example apps' widgets, and show a device's screen in a browser.",
        discussion: """
            The device is like any other for the router: pushes reload its widgets, whose \
            timelines are made by the widget code of the examples.
            """
    )

    @OptionGroup var client: ClientOptions

    @Option(help: "Name of the device to play.")
    var device: String

    @Option(
        help: ArgumentHelp(
            "A widget; may be repeated. Values are text, unless they read as a number, true or false.",
            valueName: "kind:id:name=value,…"
        )
    )
    var widget: [String]

    @Option(help: "Address at which the screen is displayed.", of: "host:port")
    var page = "127.0.0.1:7413"

    @Option(
        help: "Server that the widgets load from. (default: a built-in one, with made-up values)",
        of: "url"
    )
    var origin: String?

    func run() async throws {
        let widgets = try widget.map { try WidgetSpec($0) }
        guard let bundle = ExampleBundle.allCases.first(where: { $0.app == client.app }) else {
            let apps = ExampleBundle.allCases.map(\.app).joined(separator: ", ")
            throw ValidationError(
                "there are widgets for \(apps); a program with WidgetFleet shows those of your own"
            )
        }
        guard let address = PageAddress(page) else { throw PageAddress.problem(page) }
        do {
            let preview = try DevicePreview(
                device: device,
                app: client.app,
                token: client.currentToken(),
                security: client.protection.security(),
                widgets: widgets.map(\.placement),
                declarations: bundle.declarations,
                origin: plan(bundle),
                address: address
            )
            printLine("The screen of \(device) is at \(preview.url) until Ctrl-C.")
            Browser.open(preview.url)
            try await preview.run(router: client.to)
        } catch let error as HTTPServerError {
            throw SettingsProblem("\(error); --page HOST:PORT sets another address")
        } catch {
            let sentence = PortProbe.sentence(forClientOf: client.to) ?? "\(error)"
            writeStandardError("Error: \(sentence)\n")
            throw ExitStatus.disconnected
        }
    }

    private func plan(_ bundle: ExampleBundle) -> OriginPlan {
        var plan = OriginPlan()
        plan.url = origin
        plan.pools = bundle.pools
        return plan
    }
}

extension ExampleBundle {
    /// The first values of the fleet's own origin, which widgets ask if no `--origin` is given.
    fileprivate var pools: [String: [String: OriginPlan.Field]] {
        switch self {
        case .game:
            [
                "character": ["hp": .number(1...100), "level": .number(1...60)],
                "guild": ["posts": .number(1...500), "members": .number(5...80)],
                "region": ["strength": .number(0...90)],
                "leaderboard": [
                    "first": .number(5_000...9_999), "second": .number(2_000...4_999),
                    "third": .number(1_000...1_999),
                ],
            ]
        case .news:
            [
                "topic": ["story": .number(900_000...999_999)],
                "headlines": ["story": .number(900_000...999_999)],
                "team": ["goals": .number(0...4), "against": .number(0...4)],
            ]
        case .stocks:
            [
                "symbol": ["price": .number(40...900), "change": .number(-3...3)],
                "lot": ["price": .number(40...900), "change": .number(-3...3)],
                "market": ["index": .number(14_000...16_000)],
            ]
        }
    }
}

extension WidgetSpec {
    fileprivate var placement: DevicePreview.Placement {
        let pairs = parameters.map { ($0.name, $0.value) }
        let configuration = Dictionary(pairs) { _, last in last }
        return (id, kind, configuration)
    }
}
