import Basics
import CommandSupport
import FrameCodec
import ReloadScheduling
import RouterCore

/// What a router decides on each widget in a dry run.
struct DryRunStory: VirtualPeers {
    /// A decision, and the widget's budget after it.
    struct Event {
        var decision: Decision
        var budget: WidgetBudget?
    }

    /// The decisions on a widget, oldest first.
    struct Widget {
        var device: String
        var id: String
        var kind: String
        var events: [Event] = []
    }

    let app: String
    /// The widgets in the order of the first decisions on them.
    private(set) var widgets: [Widget] = []
    /// The index in `widgets`, by the bytes of the names of device and widget.
    private var indexes: [[[UInt8]]: Int] = [:]

    init(app: String) { self.app = app }

    mutating func stepped(_ router: inout Router) {
        for traced in router.tracedDecisions {
            let names = [Array(traced.device.utf8), Array(traced.widget.utf8)]
            let index = indexes[names] ?? widgets.count
            if index == widgets.count {
                indexes[names] = index
                widgets.append(Widget(device: traced.device, id: traced.widget, kind: traced.kind))
            }
            let budget = router.budget(ofWidget: traced.widget, device: traced.device, app: app)
            widgets[index].events.append(Event(decision: traced.decision, budget: budget))
        }
        router.forgetTrace()
    }

    /// Throws if the frame refuses something.
    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) throws(SettingsProblem) {
        guard frame.type == .error || frame.type == .reject else { return }
        let body = bytes.slice(FrameHeader.byteCount, to: bytes.count)
        throw SettingsProblem("the router refuses: \(body.string)")
    }
}

extension DryRunStory.Widget {
    /// When the widget first reloads, and whether that is at once; nil if it does not.
    var isReloadedAtOnce: Bool? {
        let reload = events.first { $0.decision.reason == .sent }
        return reload.map { $0.decision.at == events[0].decision.at }
    }

    /// Whether a reload still waits after the last decision.
    var waits: Bool {
        guard let last = events.last else { return false }
        return switch last.decision.reason {
        case .debounced, .spacing, .budget, .spread, .coalesced, .offline, .loop, .grace, .cap,
            .retry:
            true
        case .sent, .apns, .scheduled, .unchanged, .outdated, .expired, .superseded, .done,
            .removed:
            false
        }
    }
}
