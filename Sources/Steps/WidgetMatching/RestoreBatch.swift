internal import ReloadModel

/// Configurations of widgets that are restored: read, and not yet stored.
///
/// Holds memory only from the first widget to the last.
@safe
struct RestoreBatch: ~Copyable {
    static var limit: Int { 32 }

    private struct Widget: BitwiseCopyable {
        var number: WidgetID
        var kind: KindID
    }

    private var readers: UnsafeMutablePointer<ConfigurationReader>?
    private var widgets = InlineArray<32, Widget>(repeating: Widget(number: 0, kind: 0))
    private(set) var count = 0

    init() {}

    deinit {
        unsafe readers?.deinitialize(count: Self.limit)
        unsafe readers?.deallocate()
    }

    func number(at place: Int) -> WidgetID { widgets[place].number }
    func kind(at place: Int) -> KindID { widgets[place].kind }

    /// Adds a widget with the configuration that `reader` has read, and gives it another reader.
    mutating func append(
        _ number: WidgetID,
        _ kind: KindID,
        _ reader: inout ConfigurationReader
    ) {
        if unsafe readers == nil { allocate() }
        widgets[count] = Widget(number: number, kind: kind)
        count += 1
        exchange(count - 1, &reader)
    }

    /// Exchanges a widget's reader with another one.
    mutating func exchange(_ place: Int, _ reader: inout ConfigurationReader) {
        unsafe swap(&readers![place], &reader)
    }

    /// Forgets the widgets.
    mutating func removeAll() { count = 0 }

    /// Gives the memory back.
    mutating func deallocate() {
        precondition(count == 0)
        self = RestoreBatch()
    }

    private mutating func allocate() {
        let readers = UnsafeMutablePointer<ConfigurationReader>.allocate(capacity: Self.limit)
        for place in 0..<Self.limit {
            unsafe (readers + place).initialize(to: ConfigurationReader())
        }
        unsafe self.readers = unsafe readers
    }
}
