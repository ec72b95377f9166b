internal import ReloadModel

/// The dates at which widgets ask to be reloaded, earliest first: a binary heap.
///
/// A widget's own `dueAt` is the truth: an entry that differs from it has been replaced and is
/// dropped when it comes up. Equal dates come up in order of the widget's number, so that the
/// router's decisions depend on nothing but its inputs.
struct DeadlineHeap {
    struct Entry: BitwiseCopyable, Comparable {
        var at: Int64
        var widget: WidgetID

        static func < (left: Entry, right: Entry) -> Bool {
            left.at != right.at ? left.at < right.at : left.widget < right.widget
        }
    }

    private var entries: ContiguousArray<Entry> = []

    var count: Int { entries.count }
    var first: Entry? { entries.first }
    /// The latest, if the entries were inserted in order.
    var last: Entry? { entries.last }

    /// - Complexity: O(log n)
    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var index = entries.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            if entries[parent] < entries[index] { return }
            entries.swapAt(parent, index)
            index = parent
        }
    }

    /// - Complexity: O(log n)
    mutating func removeFirst() -> Entry {
        entries.swapAt(0, entries.count - 1)
        let first = entries.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
                if entries[child] < entries[least] { least = child }
            }
            if least == index { return first }
            entries.swapAt(least, index)
            index = least
        }
    }
}
