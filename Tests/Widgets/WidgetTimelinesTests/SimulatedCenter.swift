import WidgetTimelines

/// A device that has these widgets, and notes what it is asked for.
final class SimulatedCenter: WidgetCenterDevice, @unchecked Sendable {
    // Unchecked: a test uses it on one thread.
    var widgets: [WidgetInfo] = []
    /// The kinds that were to be reloaded, `*` for all.
    private(set) var reloads: [String] = []

    private let controls: [ControlInfo]

    init(_ widgets: [WidgetInfo] = [], controls: [ControlInfo] = []) {
        self.widgets = widgets
        self.controls = controls
    }

    func currentWidgets() -> [WidgetInfo] { widgets }
    func currentControls() -> [ControlInfo] { controls }
    func reload(kind: String?) { reloads.append(kind ?? "*") }
    func pushInfo() -> WidgetPushInfo? { nil }
}
