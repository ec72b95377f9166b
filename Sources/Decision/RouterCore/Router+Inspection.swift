package import DataStructures
package import ReloadModel
internal import ReloadScheduling
internal import WidgetMatching

/// What tools ask a router about its widgets.
extension Router {
    /// Records of widgets that were looked at to find those that a frame lists.
    package var walkedRecordCount: UInt64 { state.scratch.widgetNames.walkedCount }

    /// A widget's budget as it is now; nil if no such widget is stored.
    ///
    /// - Complexity: in proportion to the device's widgets.
    package func budget(
        ofWidget widget: String,
        device: String,
        app: String
    ) -> WidgetBudget? {
        guard let widget = find(widget, device, app) else { return nil }
        return WidgetBudget(
            policy: state.rules(of: widget).budget,
            state: state.delivery.schedules[widget].budget,
            phase: state.phase(widget)
        )
    }

    /// Whether a reload of the widget waits for something; nil if no such widget is stored.
    ///
    /// - Complexity: in proportion to the device's widgets.
    package func isReloadPending(ofWidget widget: String, device: String, app: String) -> Bool? {
        find(widget, device, app).map { state.delivery.widgets[$0].stage != .idle }
    }

    /// The seq of the last RELOAD that named a widget, 0 if none has; nil if no such widget is stored.
    ///
    /// - Complexity: in proportion to the device's widgets.
    package func lastReload(ofWidget widget: ByteView, device: ByteView, app: String) -> UInt64? {
        guard let app = state.catalog.appsByName[Array(app.utf8)],
            let device = state.delivery.findDevice(app, device),
            let widget = state.delivery.findWidget(device, widget)
        else { return nil }
        return state.delivery.widgets[widget].lastReload
    }

    private func find(_ widget: String, _ device: String, _ app: String) -> WidgetID? {
        guard let app = state.catalog.appsByName[Array(app.utf8)],
            let device = device.withByteView({ state.delivery.findDevice(app, $0) })
        else { return nil }
        return widget.withByteView { state.delivery.findWidget(device, $0) }
    }
}

/// A copy of a widget's budget, which can be asked about later times too.
package struct WidgetBudget: Sendable {
    package let policy: BudgetPolicy
    private let state: ReloadBudget
    private let phase: Int64

    init(policy: BudgetPolicy, state: ReloadBudget, phase: Int64) {
        self.policy = policy
        self.state = state
        self.phase = phase
    }

    /// Reloads that count at a time which is not before that of the copy.
    package func used(at now: Instant) -> Int {
        state.used(at: now.monotonic, phase: phase)
    }

    /// Reloads that the widget may have in 24 h; nil if they are not limited.
    package func allowance(at now: Instant) -> Int? {
        policy.isLimited ? state.allowance(policy, at: now.monotonic, phase: phase) : nil
    }

    /// What of the allowance only urgent pushes may use, and widgets that come into sight.
    package func reserve(at now: Instant) -> Int {
        guard let allowance = allowance(at: now) else { return 0 }
        return min(allowance * policy.urgentPercent / 100, max(allowance - 1, 0))
    }
}

/// How much a router has.
package struct StoredCounts: Equatable, Sendable {
    package var apps = 0
    package var devices = 0
    package var widgets = 0
    package var producers = 0
    /// What devices and widgets cost in memory: see `StoredCost`.
    package var bytes = 0

    package init() {}
}

extension Router {
    package var storedCounts: StoredCounts {
        var counts = StoredCounts()
        counts.apps = state.catalog.apps.count
        counts.devices = state.delivery.devices.count
        counts.widgets = state.matcher.index.widgetCount
        counts.producers = state.producers.count
        counts.bytes = state.delivery.storedBytes
        return counts
    }
}
