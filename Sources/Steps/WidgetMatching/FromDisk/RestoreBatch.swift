internal import Basics

/// Restored widgets whose configurations have been read but not stored.
///
/// It occupies memory only between the first `append` and `finishRestoring`.
struct RestoreBatch {
    /// The most widgets in the batch.
    static var limit: Int { 32 }

    /// A widget, and the reader that holds its configuration; used again for the next batch.
    final class Widget {
        fileprivate(set) var number: WidgetID = .first
        fileprivate(set) var kind: KindID = .first
        var reader = ConfigurationReader()
    }

    private var widgets: [Widget] = []
    /// The number of widgets in the batch.
    private(set) var count = 0

    subscript(position: Int) -> Widget {
        precondition(position < count, "widget \(position) of a batch of \(count)")
        return widgets[position]
    }

    /// Adds a widget with the configuration that `reader` has read; `reader` becomes an unused one.
    mutating func append(_ number: WidgetID, kind: KindID, reader: inout ConfigurationReader) {
        precondition(count < Self.limit, "the batch is full")
        if count == widgets.count { widgets.append(Widget()) }
        widgets[count].number = number
        widgets[count].kind = kind
        swap(&widgets[count].reader, &reader)
        count += 1
    }

    /// Empties the batch; its memory is kept.
    mutating func removeAll() { count = 0 }
}
