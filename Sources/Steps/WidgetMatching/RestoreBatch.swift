internal import ReloadModel

/// Restored widgets whose configurations have been read and are not stored yet.
///
/// It occupies memory only between the first `append` and `deallocate`.
@safe
struct RestoreBatch: ~Copyable {
    /// Most widgets in the batch.
    static var limit: Int { 32 }

    private struct Widget: ~Copyable {
        var number: WidgetID = 0
        var kind: KindID = 0
        var reader = ConfigurationReader()
    }

    private var widgets: UnsafeMutablePointer<Widget>?
    private(set) var count = 0

    init() {}

    deinit {
        unsafe widgets?.deinitialize(count: Self.limit)
        unsafe widgets?.deallocate()
    }

    func number(at place: Int) -> WidgetID { unsafe widgets![place].number }
    func kind(at place: Int) -> KindID { unsafe widgets![place].kind }

    /// Adds a widget with the configuration that `reader` has read; `reader` becomes an unused one.
    mutating func append(
        _ number: WidgetID,
        _ kind: KindID,
        _ reader: inout ConfigurationReader
    ) {
        assert(count < Self.limit)
        if unsafe widgets == nil { allocate() }
        unsafe widgets![count].number = number
        unsafe widgets![count].kind = kind
        count += 1
        exchange(count - 1, &reader)
    }

    /// Swaps a widget's reader with another one.
    mutating func exchange(_ place: Int, _ reader: inout ConfigurationReader) {
        unsafe swap(&widgets![place].reader, &reader)
    }

    /// Empties the batch; its memory is kept.
    mutating func removeAll() { count = 0 }

    /// Frees the memory.
    mutating func deallocate() {
        precondition(count == 0)
        self = RestoreBatch()
    }

    private mutating func allocate() {
        let widgets = UnsafeMutablePointer<Widget>.allocate(capacity: Self.limit)
        for place in 0..<Self.limit { unsafe (widgets + place).initialize(to: Widget()) }
        unsafe self.widgets = unsafe widgets
    }
}
