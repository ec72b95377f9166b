internal import Basics
internal import Foundation
internal import RouterCore

/// What a router says, at the end of a fleet's run, of a widget for which its device has received
/// no RELOAD though a push matches it.
enum WidgetFate: Equatable {
    /// The reload waits, for this reason, until this time at the latest; nil if that is not known.
    case putOff(DecisionReason, until: WallTime?)
    /// A RELOAD was sent or is about to be, and no timeline has answered it yet.
    case underWay
    /// No reload is needed: for example the push has changed nothing that the widget observes.
    case settled(DecisionReason)
    /// The router has no reload, and no reason for having none.
    case lost

    /// The fates of a device's widgets by their names.
    static func fates(in view: DeviceView) -> [String: WidgetFate] {
        fates(
            view.widgets.map { ($0.widget, $0.stage, $0.isAnswered, $0.waitsUntil) },
            decisions: view.decisions.map { ($0.widget, $0.reason) }
        )
    }

    /// The admin server's answer to `/v1/apps/APP/devices/DEVICE`, as far as it is read.
    private struct Answer: Decodable {
        struct Widget: Decodable {
            let widget: String
            let stage: String
            let isAnswered: Bool
            let waitsUntil: Int64?
        }

        struct Decision: Decodable {
            let widget: String?
            let reason: String
        }

        let widgets: [Widget]
        let decisions: [Decision]
    }

    /// The fates of a device's widgets by their names, from such an answer; nil if it is none.
    static func fates(in json: [UInt8]) -> [String: WidgetFate]? {
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(json))
        guard let answer else { return nil }
        return fates(
            answer.widgets.map {
                ($0.widget, $0.stage, $0.isAnswered, $0.waitsUntil.map { WallTime(rawValue: $0) })
            },
            decisions: answer.decisions.compactMap { decision in
                let reason = DecisionReason.allCases.first { $0.name == decision.reason }
                return reason.map { (decision.widget, $0) }
            }
        )
    }

    // MARK: - The rule

    private static func fates(
        _ widgets: [(widget: String, stage: String, isAnswered: Bool, until: WallTime?)],
        decisions: [(widget: String?, reason: DecisionReason)]
    ) -> [String: WidgetFate] {
        Dictionary(
            widgets.map { widget, stage, isAnswered, until in
                let reasons = decisions.filter { $0.widget == widget }.map(\.reason)
                return (widget, fate(stage, isAnswered: isAnswered, until: until, reasons: reasons))
            },
            uniquingKeysWith: { _, last in last }
        )
    }

    /// The fate of a widget, by the stage of its pending reload and the reasons of its latest
    /// decisions, oldest first.
    private static func fate(
        _ stage: String,
        isAnswered: Bool,
        until: WallTime?,
        reasons: [DecisionReason]
    ) -> WidgetFate {
        switch stage {
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
        if !isAnswered { return .underWay }
        let settled: [DecisionReason] = [
            .unchanged, .outdated, .expired, .superseded, .done, .removed,
        ]
        if let last = reasons.last, settled.contains(last) { return .settled(last) }
        return .lost
    }
}

/// Asks the router at the end of a run what became of reloads that have not come.
struct RouterInquiry {
    /// The most devices that are asked about; the fates of the others are not known.
    private static var deviceLimit: Int { 10_000 }

    /// The app of all devices.
    let app: String
    /// Sends GET requests for paths to the admin server, one after the other, and returns the
    /// bodies; an answer is nil if there is none in time.
    let ask: ([String]) -> [[UInt8]?]

    /// Asks about devices with these numbers and names. Returns the fates of their widgets by the
    /// devices' numbers; a device is missing if the router has not answered.
    func fates(of devices: [(number: Int, name: String)]) -> [Int: [String: WidgetFate]] {
        let asked = devices.prefix(Self.deviceLimit)
        let app = Self.escaped(app)
        let answers = ask(asked.map { "/v1/apps/\(app)/devices/\(Self.escaped($0.name))" })
        var fates: [Int: [String: WidgetFate]] = [:]
        for (device, answer) in zip(asked, answers) {
            fates[device.number] = answer.flatMap { WidgetFate.fates(in: $0) }
        }
        return fates
    }

    /// A name in a path: all bytes but letters, digits and `-._~` become percent escapes.
    static func escaped(_ name: String) -> String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        let allowed = CharacterSet(charactersIn: letters)
        return name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name
    }
}
