internal import Basics

/// Restored widgets whose configurations have been read but not stored.
///
/// It occupies memory only between the first `append` and `deallocate`.
@safe
struct RestoreBatch: ~Copyable {
    /// The most widgets in the batch.
    static var limit: Int { 32 }

    /// A widget, and the reader that holds its configuration.
    private struct Widget: ~Copyable {
        var number: WidgetID = .first
        var kind: KindID = .first
        var reader = ConfigurationReader()
    }

    private var widgets: UnsafeMutablePointer<Widget>?
    /// The number of widgets in the batch.
    private(set) var count = 0

    init() {}

    deinit {
        unsafe widgets?.deinitialize(count: Self.limit)
        unsafe widgets?.deallocate()
    }

    /// The number that a widget of the batch will have.
    func number(at position: Int) -> WidgetID {
        check(position)
        return unsafe widgets![position].number
    }
    /// The kind of a widget of the batch.
    func kind(at position: Int) -> KindID {
        check(position)
        return unsafe widgets![position].kind
    }

    /// Adds a widget with the configuration that `reader` has read; `reader` becomes an unused one.
    mutating func append(
        _ number: WidgetID,
        kind: KindID,
        reader: inout ConfigurationReader
    ) {
        precondition(count < Self.limit, "the batch is full")
        if unsafe widgets == nil { allocate() }
        unsafe widgets![count].number = number
        unsafe widgets![count].kind = kind
        count += 1
        exchange(at: count - 1, with: &reader)
    }

    /// Swaps a widget's reader with another one.
    mutating func exchange(at position: Int, with reader: inout ConfigurationReader) {
        check(position)
        unsafe swap(&widgets![position].reader, &reader)
    }

    /// Empties the batch; its memory is kept.
    mutating func removeAll() { count = 0 }

    /// Frees the memory of the batch, which must be empty.
    mutating func deallocate() {
        precondition(count == 0, "the batch is not empty")
        self = RestoreBatch()
    }

    /// Traps unless the batch has a widget at this place.
    private func check(_ position: Int) {
        precondition(position >= 0 && position < count, "widget \(position) of a batch of \(count)")
    }

    /// Allocates the memory for a full batch.
    private mutating func allocate() {
        assert(unsafe widgets == nil, "the batch has its memory already")
        let widgets = UnsafeMutablePointer<Widget>.allocate(capacity: Self.limit)
        for position in 0..<Self.limit { unsafe (widgets + position).initialize(to: Widget()) }
        unsafe self.widgets = unsafe widgets
    }
}
