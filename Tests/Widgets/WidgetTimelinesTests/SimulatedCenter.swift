import WidgetTimelines

/// A device that has these widgets, and notes what it is asked for.
final class SimulatedCenter: WidgetCenterDevice, @unchecked Sendable {
    // Unchecked: a test uses it on one thread.
    var widgets: [WidgetInfo] = []
    /// The kinds that were to be reloaded, `*` for all.
    private(set) var reloads: [String] = []

    init(_ widgets: [WidgetInfo] = []) {
        self.widgets = widgets
    }

    func currentWidgets() -> [WidgetInfo] { widgets }
    func reload(kind: String?) { reloads.append(kind ?? "*") }
    func pushInfo() -> WidgetPushInfo? { nil }
}
