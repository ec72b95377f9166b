package import Basics
internal import RouterCore

/// What a router says, at the end of a fleet's run, of a widget for which its device has received
/// no RELOAD though a push matches it.
package enum WidgetFate: Equatable, Sendable {
    /// The reload waits, for this reason, until this time at the latest; nil if that is not known.
    case putOff(DecisionReason, until: WallTime?)
    /// A RELOAD was sent or is about to be, and no timeline has answered it yet.
    case underWay
    /// No reload is needed: for example the push has changed nothing that the widget observes.
    case settled(DecisionReason)
    /// The router has no reload, and no reason for having none.
    case lost

    /// What the router states of a widget, from which its fate follows.
    private struct Statement {
        var stage = ""
        var isAnswered = true
        var waitsUntil: WallTime?
    }

    // MARK: - From a router

    /// The fates of a device's widgets by their names.
    static func fates(in view: DeviceView) -> [String: WidgetFate] {
        var statements: [String: Statement] = [:]
        for widget in view.widgets {
            statements[widget.widget] = Statement(
                stage: widget.stage,
                isAnswered: widget.isAnswered,
                waitsUntil: widget.waitsUntil
            )
        }
        return fates(statements, decisions: view.decisions.map { ($0.widget, $0.reason) })
    }

    /// The fates of a device's widgets by their names, from the admin server's answer to
    /// `/v1/apps/APP/devices/DEVICE`; nil if it is no such answer.
    static func fates(in json: [UInt8]) -> [String: WidgetFate]? {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        return json.withByteView { view -> [String: WidgetFate]? in
            guard (try? validateJSON(view, using: &scanner)) != nil else { return nil }
            var statements: [String: Statement]?
            var decisions: [(widget: String?, reason: DecisionReason)] = []
            var reader = JSONReader(view)
            guard reader.peek() == .object else { return nil }
            reader.enterObject()
            while let name = reader.nextKey() {
                if name == "widgets" && reader.peek() == .array {
                    statements = readStatements(&reader)
                } else if name == "decisions" && reader.peek() == .array {
                    decisions = readDecisions(&reader)
                } else {
                    reader.skipValue()
                }
            }
            return statements.map { fates($0, decisions: decisions) }
        }
    }

    private static func readStatements(_ reader: inout JSONReader) -> [String: Statement] {
        var statements: [String: Statement] = [:]
        reader.enterArray()
        while reader.nextElement() {
            var widget = ""
            var statement = Statement()
            reader.enterObject()
            while let name = reader.nextKey() {
                if name == "widget" && reader.peek() == .string {
                    widget = reader.readString().string
                } else if name == "stage" && reader.peek() == .string {
                    statement.stage = reader.readString().string
                } else if name == "isAnswered" && reader.peek() == .false {
                    statement.isAnswered = reader.readBoolean()
                } else if name == "waitsUntil" && reader.peek() == .number {
                    statement.waitsUntil = reader.readInteger().map { WallTime(rawValue: $0) }
                } else {
                    reader.skipValue()
                }
            }
            statements[widget] = statement
        }
        return statements
    }

    private static func readDecisions(
        _ reader: inout JSONReader
    ) -> [(widget: String?, reason: DecisionReason)] {
        var decisions: [(widget: String?, reason: DecisionReason)] = []
        reader.enterArray()
        while reader.nextElement() {
            var widget: String?
            var reason: DecisionReason?
            reader.enterObject()
            while let name = reader.nextKey() {
                if name == "widget" && reader.peek() == .string {
                    widget = reader.readString().string
                } else if name == "reason" && reader.peek() == .string {
                    let text = reader.readString().string
                    reason = DecisionReason.allCases.first { $0.name == text }
                } else {
                    reader.skipValue()
                }
            }
            if let reason { decisions.append((widget, reason)) }
        }
        return decisions
    }

    // MARK: - The rule

    private static func fates(
        _ statements: [String: Statement],
        decisions: [(widget: String?, reason: DecisionReason)]
    ) -> [String: WidgetFate] {
        var reasons: [String: [DecisionReason]] = [:]
        for decision in decisions {
            if let widget = decision.widget { reasons[widget, default: []].append(decision.reason) }
        }
        return Dictionary(
            uniqueKeysWithValues: statements.map { widget, statement in
                (widget, fate(statement, reasons: reasons[widget] ?? []))
            }
        )
    }

    /// The fate of a widget.
    ///
    /// - Parameters:
    ///   - statement: what the router states of it.
    ///   - reasons: the reasons of its latest decisions, oldest first.
    /// - Returns: its fate.
    private static func fate(_ statement: Statement, reasons: [DecisionReason]) -> WidgetFate {
        let until = statement.waitsUntil
        switch statement.stage {
        case "debounced": return .putOff(.debounced, until: until)
        case "queued": return .putOff(.spread, until: until)
        case "held": return .putOff(.offline, until: until)
        case "deferred":
            // A push that joins the reload records nothing of what that waits for.
            let waits: [DecisionReason] = [.spacing, .budget, .loop, .grace, .cap, .retry]
            return .putOff(reasons.last { waits.contains($0) } ?? .spacing, until: until)
        case "ready": return .underWay
        default: break
        }
        if !statement.isAnswered { return .underWay }
        let settled: [DecisionReason] = [
            .unchanged, .outdated, .expired, .superseded, .done, .removed,
        ]
        if let last = reasons.last, settled.contains(last) { return .settled(last) }
        return .lost
    }
}
