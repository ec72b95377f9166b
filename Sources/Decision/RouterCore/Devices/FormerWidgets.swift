internal import Basics

/// The widgets that a device had before it sends a new list. Each widget of the new list is looked
/// up here by its id, and removed; those that remain are gone from the device.
///
/// A new list is mostly the same as the old one, so the next widget of the old list is tried first.
/// Only if that has another id, all of them are entered into a table.
struct FormerWidgets {
    private var widgets: [WidgetID]
    /// The index of the first widget that was not removed.
    private var head = 0
    /// Whether the widgets have been entered into the table.
    private var hasTable = false

    /// - Parameter widgets: the device's widgets in the order of its old list.
    init(_ widgets: [WidgetID]) { self.widgets = widgets }

    /// Removes and returns the widget with the id `name`, and whether it was the first of those
    /// left; nil if none has the id. The table has its memory in `names`.
    @inline(__always)
    mutating func take(
        _ name: ByteView,
        using names: inout WidgetNames,
        in delivery: borrowing DeliveryTable
    ) -> (widget: WidgetID, isFirst: Bool)? {
        if head < widgets.count && delivery.widgetName(widgets[head]) == name {
            return take(at: head)
        }
        if !hasTable {
            hasTable = true
            names.reset(count: widgets.count - head)
            for position in head..<widgets.count {
                names.insert(widgets[position], position: position, in: delivery)
            }
        }
        guard let entry = names.find(name, in: delivery) else { return nil }
        return take(at: Int(names.entries[entry].position))
    }

    /// Removes a widget that is listed with another id.
    mutating func take(_ widget: WidgetID) { _ = take(at: widgets.firstIndex(of: widget)!) }

    private mutating func take(at position: Int) -> (widget: WidgetID, isFirst: Bool) {
        let widget = widgets[position]
        assert(!widget.isNone, "the widget was taken before")
        let isFirst = position == head
        widgets[position] = .none
        while head < widgets.count && widgets[head].isNone { head += 1 }
        return (widget, isFirst)
    }

    /// The widgets that were not removed, in the order of the old list.
    var remaining: [WidgetID] { widgets[head...].filter { !$0.isNone } }
}
