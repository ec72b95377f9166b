import ArgumentParser
import ByteStorage
import ReloadModel
import RouterServer
import WidgetMatching

/// Says whom a push reaches and why, from files alone.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say which widgets a push reaches, and why, without a router.",
        discussion: """
            Reads an app file and widgets (JSON Lines of WIDGETS bodies, one device a line), and \
            prints for each widget that the push concerns which value passes which test. With \
            --device it says of that device's widgets why they are, or are not, concerned; with \
            --near, which widgets a single condition keeps from it. Exit status: 0 explained, 1 a \
            file, a name or the push was refused.
            """
    )

    @Option(help: ArgumentHelp("App file.", valueName: "file"), completion: .file())
    var apps: String

    @Option(
        help: ArgumentHelp("JSON Lines of WIDGETS bodies.", valueName: "file"),
        completion: .file()
    )
    var widgets: String

    @Option(help: ArgumentHelp("The app of the push and the widgets.", valueName: "app"))
    var app: String

    @Option(help: ArgumentHelp("The payload, or @ and a file that holds it.", valueName: "json"))
    var push: String

    @Option(help: ArgumentHelp("Explain this device's widgets.", valueName: "device"))
    var device: String?

    @Option(help: ArgumentHelp("Explain this widget of the device.", valueName: "widget"))
    var widget: String?

    @Option(help: ArgumentHelp("Only widgets of this kind.", valueName: "kind"))
    var kind: String?

    @Flag(help: "Name the widgets that a single condition keeps from the push.")
    var near = false

    @Option(help: ArgumentHelp("The most widgets to print.", valueName: "count"))
    var limit = 100

    func validate() throws {
        if widget != nil && device == nil {
            throw ValidationError("--widget needs --device: widgets are named per device")
        }
        if limit < 1 { throw ValidationError("--limit is \(limit); it must be at least 1") }
    }

    func run() throws {
        do {
            let payload = try readPush()
            let kinds = try declaredKinds()
            var registered = try RegisteredWidgets(kinds: kinds, file: widgets)
            try payload.withByteView { payload in
                if near {
                    try printNearMisses(registered, payload)
                } else if device != nil {
                    try printDevice(registered, payload)
                } else {
                    try printMatches(&registered, payload)
                }
            }
        } catch let error as AppFileProblem {
            try refuse("\(error)")
        } catch let error as SettingsProblem {
            try refuse("\(error)")
        } catch let error as PayloadError {
            try refuse("the push is refused: \(error.message)")
        }
    }

    private func refuse(_ message: String) throws {
        writeStandardError("reload-router explain: \(message)\n")
        throw ExitStatus.refused
    }

    // MARK: - What is read

    private func readPush() throws -> [UInt8] {
        guard push.hasPrefix("@") else { return Array(push.utf8) }
        var lines = try LineReader(String(push.dropFirst()))
        var bytes: [UInt8] = []
        while let line = try lines.next() { bytes += line.bytes + [0x0a] }
        return bytes
    }

    private func declaredKinds() throws -> [KindDeclaration] {
        let catalog = try loadAppFile(apps)
        guard let declared = catalog.apps.first(where: { $0.app == app }) else {
            throw SettingsProblem("\(apps): there is no app \(app)")
        }
        if let kind, !declared.kinds.contains(where: { $0.kind == kind }) {
            throw SettingsProblem("\(apps): the app \(app) has no kind \(kind)")
        }
        return declared.kinds
    }

    // MARK: - What is printed

    private func printMatches(
        _ registered: inout RegisteredWidgets,
        _ payload: ByteView
    ) throws {
        let all = try registered.matcher.explain(
            app: RegisteredWidgets.app,
            payload: payload,
            limit: .max
        )
        let wanted = all.filter { isWanted($0.widget, registered) }
        printLines(wanted, registered)
        printLine(summary(wanted.count, registered, "concerned"))
    }

    private func printDevice(_ registered: borrowing RegisteredWidgets, _ payload: ByteView) throws
    {
        for number in try chosenWidgets(registered) {
            let explanation = try registered.matcher.explain(
                app: RegisteredWidgets.app,
                payload: payload,
                widget: number
            )
            printLine("\(registered.name(of: number)): \(explanation.sentence)")
            for condition in explanation.conditions {
                printLine("    \(condition.holds ? "holds" : "fails")  \(condition.sentence)")
            }
        }
    }

    private func printNearMisses(
        _ registered: borrowing RegisteredWidgets,
        _ payload: ByteView
    ) throws {
        let found = try registered.matcher.nearMisses(
            app: RegisteredWidgets.app,
            payload: payload,
            among: chosenWidgets(registered)
        )
        printLines(found, registered)
        printLine(summary(found.count, registered, "nearly concerned"))
    }

    private func printLines(
        _ widgets: [WidgetMatcher.ExplainedWidget],
        _ registered: borrowing RegisteredWidgets
    ) {
        for found in widgets.prefix(limit) {
            printLine("\(registered.name(of: found.widget)): \(found.explanation.sentence)")
        }
        if widgets.count > limit { printLine("… and \(widgets.count - limit) more (--limit)") }
    }

    private func summary(
        _ count: Int,
        _ registered: borrowing RegisteredWidgets,
        _ what: String
    ) -> String {
        "\(count) of \(registered.count) widget\(registered.count == 1 ? "" : "s") \(what)"
    }

    // MARK: - Which widgets

    /// The widgets that the options choose.
    private func chosenWidgets(
        _ registered: borrowing RegisteredWidgets
    ) throws(SettingsProblem) -> [WidgetID] {
        guard let device else { return registered.all.filter { isWanted($0, registered) } }
        guard let numbers = registered.widgets(of: device) else {
            throw SettingsProblem("\(widgets): there is no device \(device)")
        }
        guard let widget else { return numbers.filter { isWanted($0, registered) } }
        let named = numbers.filter { registered.widget($0).id == widget }
        if named.isEmpty {
            throw SettingsProblem("\(widgets): the device \(device) has no widget \(widget)")
        }
        return named
    }

    private func isWanted(_ number: WidgetID, _ registered: borrowing RegisteredWidgets) -> Bool {
        kind == nil || registered.widget(number).kind == kind
    }
}
