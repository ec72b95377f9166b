import AdminAPI
import ArgumentParser
import Basics
import CommandSupport
import RouterCore
import RouterServer

/// `explain`: says which widgets a push reaches, when and why, by a dry run or by asking a running
/// router.
struct Explain: LongCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say which widgets a push would reach, when they would reload, and why.",
        discussion: """
            Dry run: reads an app file and widgets (JSON Lines of WIDGETS bodies, one device per \
            line), and asks a router in simulated time, as --to asks one that runs. Prints for each \
            widget that the push matches which value passes which test and what is decided; then, \
            for the next 25 hours, after which every unit of a budget is available again, when it \
            reloads, what that costs of its budget, and the reason (protocol/app-file.md, \
            "Reasons") if it has to wait. With --device it explains why that device's widgets \
            are, or are not, matched; with --near, which widgets fail the match by a single \
            condition.

            --push may be given several times: one push comes every --every seconds, and the \
            output shows what is debounced, spaced or coalesced.

            A line of the widgets may state what is known of the device when the first push comes:

              {"device":"d-1","state":{"foreground":false,"media":null,"visible":["w1"]},
               "widgets":[{"id":"w1","kind":"…","reloadsBefore":[90,7200]}]}

            "state" is as in STATE (media: "audio" or "navigation"). reloadsBefore lists how many \
            seconds ago the widget was reloaded, within the 24 hours before. A reload that its \
            budget did not allow at that time is ignored. Widgets count as added a day before.

            Exit status: 0 explained, 1 a file, a name or the push was refused.
            """
    )

    @Option(help: "App file.", of: "file", name: .customLong("apps"))
    var appFile: String?

    @Option(help: "JSON Lines of WIDGETS bodies.", of: "file", name: .customLong("widgets"))
    var widgetsFile: String?

    @Option(
        help: "Ask a running router, at its admin server, instead of reading files: a port of this "
            + "machine, host:port, or a URL. (default: the context's, without files)",
        of: "address"
    )
    var to: String?

    @OptionGroup var access: AdminAccess

    @Option(
        help: """
            The app of the push and the widgets. (default: the only one of the app file; with --to, \
            the context's)
            """
    )
    var app: String?

    @Option(
        help: ArgumentHelp(
            "The payload, or @ and the file that contains it; once for each push.",
            valueName: "json"
        )
    )
    var push: [String]

    @Option(help: "The time between the pushes. (default: 1.0)", of: "seconds")
    var every: Double?

    @Flag(help: "Make the pushes urgent.")
    var urgent = false

    @OptionGroup var kinds: KindsOption

    @Option(
        help: "Time of the first push: 2026-11-21T12:00:00Z, or ms since 1970. (default: now)",
        of: "date"
    )
    var now: String?

    @Option(help: "Explain this device's widgets.")
    var device: String?

    @Option(help: "Explain this widget of the device.")
    var widget: String?

    @Option(help: "Explain only widgets of this kind.")
    var kind: String?

    @Flag(help: "Name the widgets that fail the match by a single condition.")
    var near = false

    @Option(help: "The maximum number of widgets to print.", of: "count")
    var limit = 100

    @Flag(help: "Print a JSON object for each widget.")
    var json = false

    var activity: String? { to == nil ? "running a router in simulated time" : nil }

    mutating func validate() throws {
        if push.isEmpty { throw ValidationError("give a --push") }
        if appFile == nil && widgetsFile == nil {
            let known = try access.complete(to, isAppGiven: app != nil)
            to = known.server
            app = app ?? known.app
        }
        try validateServer()
        if widget != nil && device == nil {
            throw ValidationError("--widget needs --device: widgets are named per device")
        }
        if limit < 1 { throw ValidationError("--limit is \(limit); it must be at least 1") }
        if let every, !(0.001...86_400).contains(every) {
            throw ValidationError("--every is \(every); it must be from 0.001 to 86400 seconds")
        }
        if let now, WallDate(now) == nil {
            throw ValidationError(
                "--now is \(now); it must be a date such as 2026-11-21T12:00:00Z, or milliseconds "
                    + "since 1970, from 1971 to \(WallDate.latest.text), where a router's slots end"
            )
        }
        if let last = pushTimes.last, last > WallDate.latest.moment - DryRun.horizon {
            throw ValidationError(
                "the dry run lasts \(durationText(DryRun.horizon)) after the last push, and would "
                    + "end after \(WallDate.latest.text), where a router's slots end: give an earlier "
                    + "--now or fewer pushes"
            )
        }
    }

    private func validateServer() throws {
        guard let to else {
            if appFile == nil || widgetsFile == nil {
                throw ValidationError("give --apps and --widgets, or --to")
            }
            if access.tokenFile != nil { throw ValidationError("--token-file needs --to") }
            if access.protection.wantsTLS || access.protection.forbidsTLS {
                throw ValidationError("options for TLS need --to")
            }
            return
        }
        _ = try AdminAddress(to, options: access.protection)
        if appFile != nil || widgetsFile != nil {
            throw ValidationError(
                "--to cannot be combined with --apps or --widgets: the server has its own"
            )
        }
        if push.count > 1 || now != nil || every != nil {
            throw ValidationError(
                "--to explains one --push as if it came now; omit --every and --now"
            )
        }
        if app == nil { throw ValidationError("--to needs --app") }
        if limit > Self.serverLimit {
            throw ValidationError(
                "--limit is \(limit); a server reports at most \(Self.serverLimit) widgets"
            )
        }
    }

    /// The path of the app file; empty if a server is asked.
    private var apps: String { appFile ?? "" }

    func run() throws {
        if let to { return try ask(to) }
        do {
            try runDry(try push.map(Self.payload), app: try declaredApp())
        } catch let error as ProtocolError {
            throw SettingsProblem(error.message)
        }
    }

    /// Asks a router in virtual time what each push would do, makes the push, and prints what
    /// the router decides then.
    private func runDry(_ payloads: [[UInt8]], app: AppDeclaration) throws {
        let times = pushTimes
        var run = try DryRun(app, widgets: widgetsFile ?? "", now: times[0])
        for (index, payload) in payloads.enumerated() {
            try run.advance(to: times[index])
            var request = ExplainRequest(app: app.app, payload: payload)
            request.isUrgent = urgent
            request.kinds = kinds.names
            request.device = device
            request.kind = kind
            request.limit = askedLimit
            if near { request.near = askedLimit }
            let number = payloads.count > 1 ? index + 1 : nil
            if let number, !json {
                printLine("Push \(number), +\(durationText(times[index] - times[0])):")
            }
            var answer = try run.explain(request, isWhole: near)
            if !near && !(json && device == nil) && answer["widgets"].elements.isEmpty {
                // The nearest of all, which are printed unasked.
                answer = try run.explain(request, isWhole: true)
            }
            try report(answer, push: number)
            if !near { try run.push(request) }
        }
        if near { return }
        try run.finish()
        let widgets = run.story.widgets.filter {
            (device ?? $0.device) == $0.device && (widget ?? $0.id) == $0.id
                && (kind ?? $0.kind) == $0.kind
        }
        let story = DryRunReport(app: app, start: times[0], run: run)
        if !json && !widgets.isEmpty {
            printLine("\nUntil \(durationText(DryRun.horizon)) after the last push:")
        }
        for widget in widgets.prefix(limit) {
            if json {
                printLine(story.line(widget))
            } else {
                printLine("\(widget.device)/\(widget.id) (\(widget.kind))")
                for line in story.lines(widget) { printLine(line) }
            }
        }
        if !json && !widgets.isEmpty { printLine(story.summary(widgets)) }
    }

    // MARK: - What is read

    /// The payload of a `--push`: its text, or the content of the file that follows an @.
    static func payload(_ push: String) throws -> [UInt8] {
        guard push.hasPrefix("@") else { return Array(push.utf8) }
        return try LineReader.content(of: String(push.dropFirst()))
    }

    /// Reads the app file and picks the app.
    private func declaredApp() throws -> AppDeclaration {
        let catalog = try loadAppFile(apps).catalog
        let found: AppDeclaration?
        if let app {
            found = catalog.apps.first { $0.app == app }
        } else {
            if catalog.apps.count != 1 {
                let names = catalog.apps.map(\.app).joined(separator: ", ")
                throw SettingsProblem("\(apps): say with --app which app: \(names)")
            }
            found = catalog.apps.first
        }
        guard let found else {
            let hint = Spelling.hint(for: app ?? "", among: catalog.apps.lazy.map(\.app))
            throw SettingsProblem("\(apps): there is no app \(app ?? "")\(hint)")
        }
        if let kind, !found.kinds.contains(where: { $0.kind == kind }) {
            let hint = Spelling.hint(for: kind, among: found.kinds.lazy.map(\.kind))
            throw SettingsProblem("\(apps): the app \(found.app) has no kind \(kind)\(hint)")
        }
        return found
    }

    /// When the pushes arrive.
    var pushTimes: [WallTime] {
        let first = (now.flatMap { WallDate($0) } ?? .now).moment
        let step = Milliseconds(rawValue: Int64(((every ?? 1) * 1_000).rounded()))
        return push.indices.map { first + step * Int64($0) }
    }
}
