package import Basics
internal import ReloadScheduling
internal import WidgetMatching

/// What tools and tests ask a router about its widgets.
extension Router {
    /// How many records of widgets were examined to find those that frames list.
    package var walkedRecordCount: UInt64 { state.scratch.widgetNames.walkedCount }

    /// A widget's budget as it is now; nil if no such widget is stored.
    ///
    /// - Complexity: proportional to the device's widgets.
    package func budget(ofWidget widget: String, device: String, app: String) -> WidgetBudget? {
        guard let widget = find(widget, device: device, app: app) else { return nil }
        return WidgetBudget(
            policy: state.reloads.rules(of: widget).budget,
            state: state.reloads.schedules.widgets[widget].budget,
            phase: Schedules.phase(widget)
        )
    }

    /// Whether a reload of the widget is pending; nil if no such widget is stored.
    ///
    /// - Complexity: proportional to the device's widgets.
    package func isReloadPending(ofWidget widget: String, device: String, app: String) -> Bool? {
        find(widget, device: device, app: app).map {
            state.reloads.delivery.widgets[$0].stage != .idle
        }
    }

    /// The number of the last RELOAD that named a widget, 0 if none has; nil if no such widget is
    /// stored.
    ///
    /// - Complexity: proportional to the device's widgets.
    package func lastReload(ofWidget widget: ByteView, device: ByteView, app: String) -> UInt64? {
        guard let app = state.reloads.catalog.appsByName[Array(app.utf8)],
            let device = state.reloads.delivery.findDevice(of: app, named: device),
            let widget = state.reloads.delivery.findWidget(of: device, named: widget)
        else { return nil }
        return state.reloads.delivery.widgets[widget].lastReload
    }

    private func find(_ widget: String, device: String, app: String) -> WidgetID? {
        guard let app = state.reloads.catalog.appsByName[Array(app.utf8)],
            let device = device.withByteView({
                state.reloads.delivery.findDevice(of: app, named: $0)
            })
        else { return nil }
        return widget.withByteView { state.reloads.delivery.findWidget(of: device, named: $0) }
    }
}

/// A copy of a widget's budget, which also gives values for later times.
package struct WidgetBudget: Sendable {
    /// The budget of the widget's kind.
    package let policy: BudgetPolicy
    private let state: ReloadBudget
    private let phase: Milliseconds

    init(policy: BudgetPolicy, state: ReloadBudget, phase: Milliseconds) {
        self.policy = policy
        self.state = state
        self.phase = phase
    }

    /// The number of reloads that count at a time, which must not be before that of the copy.
    package func used(at now: Instant) -> Int { state.used(at: now.monotonic, phase: phase) }

    /// Reloads that the widget may have in 24 h; nil if they are not limited.
    package func allowance(at now: Instant) -> Int? {
        policy.isLimited ? state.allowance(policy, at: now.monotonic, phase: phase) : nil
    }

    /// The part of the allowance that is reserved for urgent pushes, for widgets that come into
    /// sight, and for reloads that the router has not decided.
    package func reserve(at now: Instant) -> Int {
        guard let allowance = allowance(at: now) else { return 0 }
        return min(allowance * policy.urgentPercent / 100, max(allowance - 1, 0))
    }
}

/// How many apps, devices, widgets and producers a router has, and the memory that they need.
package struct StoredCounts: Equatable, Sendable {
    /// Apps that are, or were, declared.
    package var apps = 0
    /// Devices with stored widgets.
    package var devices = 0
    /// Widgets of all devices.
    package var widgets = 0
    /// Producers whose last push is remembered.
    package var producers = 0
    /// Keys of requests over HTTP.
    package var requestKeys = 0
    /// The memory of devices and widgets, in bytes as `StoredCost` counts them.
    package var bytes = 0

    /// Makes counts that are all 0.
    package init() {}
}

extension Router {
    /// What the router has stored now.
    package var storedCounts: StoredCounts {
        var counts = StoredCounts()
        counts.apps = state.reloads.catalog.apps.count
        counts.devices = state.reloads.delivery.devices.count
        counts.widgets = state.matcher.index.widgetCount
        counts.producers = state.publishers.producers.count
        counts.requestKeys = state.publishers.requestKeys.count
        counts.bytes = state.reloads.delivery.storedBytes
        return counts
    }
}
