internal import Basics
internal import ReloadScheduling
internal import RouterCore

/// Assigns numbers to the widgets and kinds of a capture. All stories that share a directory use
/// the same numbers.
package final class WidgetDirectory {
    /// The names of a widget.
    package struct Widget: Hashable, Sendable {
        /// The name of the app.
        package var app: String
        /// The name of the device.
        package var device: String
        /// The id of the widget on its device.
        package var widget: String
    }

    /// The names of a kind.
    package struct Kind: Hashable, Sendable {
        /// The name of the app.
        package var app: String
        /// The name of the kind.
        package var kind: String
    }

    private var widgetNumbers: [Widget: UInt32] = [:]
    private var kindNumbers: [Kind: UInt32] = [:]
    /// The names of all widgets so far, by their numbers.
    package private(set) var widgets: [Widget] = []
    /// The names of all kinds so far, by their numbers.
    package private(set) var kinds: [Kind] = []

    /// Creates a directory without widgets and kinds.
    package init() {}

    /// Returns the number of a decision's widget, and assigns one if the widget is new.
    func widget(_ traced: TracedDecision) -> UInt32 {
        let name = Widget(app: traced.app, device: traced.device, widget: traced.widget)
        if let number = widgetNumbers[name] { return number }
        let number = UInt32(widgets.count)
        widgetNumbers[name] = number
        widgets.append(name)
        assert(widgets.count == widgetNumbers.count, "two widgets have one number")
        return number
    }

    /// Returns true if the number is that of the decision's widget.
    func isWidget(_ number: UInt32, of traced: TracedDecision) -> Bool {
        let name = widgets[Int(number)]
        return name.device == traced.device && name.widget == traced.widget
            && name.app == traced.app
    }

    /// Returns true if the number is that of the decision's kind.
    func isKind(_ number: UInt32, of traced: TracedDecision) -> Bool {
        kinds[Int(number)].kind == traced.kind && kinds[Int(number)].app == traced.app
    }

    /// Returns the number of a decision's kind, and assigns one if the kind is new.
    func kind(_ traced: TracedDecision) -> UInt32 {
        let name = Kind(app: traced.app, kind: traced.kind)
        if let number = kindNumbers[name] { return number }
        let number = UInt32(kinds.count)
        kindNumbers[name] = number
        kinds.append(name)
        assert(kinds.count == kindNumbers.count, "two kinds have one number")
        return number
    }
}
