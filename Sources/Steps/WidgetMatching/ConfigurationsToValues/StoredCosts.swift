internal import Basics

/// The cost of an index's widgets in bytes as `StoredCost` counts them, and their number, by kind
/// and in total.
struct StoredCosts {
    /// Bytes of all widgets.
    private(set) var total = 0
    private var byKind = NumberedArray<KindID, Int>()
    private var widgetsByKind = NumberedArray<KindID, Int>()

    /// Bytes of a kind's widgets; 0 exactly if none is stored.
    subscript(kind: KindID) -> Int { byKind[kind, default: 0] }

    /// The number of a kind's widgets.
    func widgetCount(of kind: KindID) -> Int { widgetsByKind[kind, default: 0] }

    /// Counts widgets of a kind, or removes them if negative.
    mutating func count(_ widgets: Int, of kind: KindID) {
        widgetsByKind[kind, default: 0] += widgets
        assert(widgetsByKind[kind] >= 0, "more widgets are released than were stored")
    }

    /// Adds bytes, or subtracts them if negative.
    mutating func add(_ byteCount: Int, to kind: KindID) {
        byKind[kind, default: 0] += byteCount
        total += byteCount
        assert(byKind[kind] >= 0, "more bytes are released than were stored")
    }
}
