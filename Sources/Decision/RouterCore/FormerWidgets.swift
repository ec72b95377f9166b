internal import DataStructures
internal import ReloadModel

/// The widgets that a device had before it listed them anew, taken one by one by their names.
///
/// A list is mostly the same as before, so the next widget is looked for at its place first; only
/// when another one stands there are all of them put into a table.
struct FormerWidgets {
    private var widgets: [WidgetID]
    /// The first one that has not been taken.
    private var head = 0
    private var hasTable = false

    init(_ widgets: [WidgetID]) {
        self.widgets = widgets
    }

    /// Takes the widget of this name; nil if there was none.
    ///
    /// - Returns: the widget, and whether it stood before all others that are left.
    mutating func take(
        _ name: ByteView,
        _ names: inout WidgetNames,
        in delivery: borrowing DeliveryTable
    ) -> (widget: WidgetID, isFirst: Bool)? {
        if head < widgets.count && delivery.widgetName(widgets[head]) == name {
            return take(at: head)
        }
        if !hasTable {
            hasTable = true
            names.reset(count: widgets.count - head)
            for place in head..<widgets.count {
                names.insert(widgets[place], place: place, in: delivery)
            }
        }
        guard let entry = names.find(name, in: delivery) else { return nil }
        return take(at: Int(names.entries[entry].place))
    }

    private mutating func take(at place: Int) -> (widget: WidgetID, isFirst: Bool) {
        let widget = widgets[place]
        let isFirst = place == head
        widgets[place] = WidgetRecord.none
        while head < widgets.count && widgets[head] == WidgetRecord.none { head += 1 }
        return (widget, isFirst)
    }

    /// Those that have not been taken, in their order.
    var left: [WidgetID] { widgets[head...].filter { $0 != WidgetRecord.none } }
}
