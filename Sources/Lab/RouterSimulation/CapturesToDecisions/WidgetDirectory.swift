internal import Basics
internal import RouterCore

/// Assigns numbers to the widgets and kinds of a capture. All stories that share a directory use
/// the same numbers.
package final class WidgetDirectory {
    struct Widget: Hashable {
        var app: String
        var device: String
        /// The id of the widget on its device.
        var widget: String
    }

    struct Kind: Hashable {
        var app: String
        var kind: String
    }

    private var widgetNumbers = Numbering<Widget>()
    private var kindNumbers = Numbering<Kind>()
    /// The names of all widgets so far, by their numbers.
    var widgets: [Widget] { widgetNumbers.names }
    /// The names of all kinds so far, by their numbers.
    var kinds: [Kind] { kindNumbers.names }

    /// Creates a directory without widgets and kinds.
    package init() {}

    /// The number of a decision's widget.
    func widget(_ traced: TracedDecision) -> UInt32 {
        let name = Widget(app: traced.app, device: traced.device, widget: traced.widget)
        return UInt32(widgetNumbers.number(of: name))
    }

    /// The number of a decision's kind.
    func kind(_ traced: TracedDecision) -> UInt32 {
        UInt32(kindNumbers.number(of: Kind(app: traced.app, kind: traced.kind)))
    }

    /// Returns true if the numbers are those of the decision's widget and kind.
    func isNumbered(_ traced: TracedDecision, widget: UInt32, kind: UInt32) -> Bool {
        let (name, kind) = (widgets[Int(widget)], kinds[Int(kind)])
        return name.device == traced.device && name.widget == traced.widget
            && name.app == traced.app && kind.kind == traced.kind && kind.app == traced.app
    }
}
