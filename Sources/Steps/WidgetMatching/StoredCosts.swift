internal import DataStructures
internal import ReloadModel

/// The cost of an index's widgets in bytes as `StoredCost` counts them, by kind and in total.
struct StoredCosts {
    /// Bytes of all widgets.
    private(set) var total = 0
    private var byKind = NumberedArray<KindID, Int>()

    /// Bytes of a kind's widgets; 0 exactly if none is stored.
    subscript(kind: KindID) -> Int { byKind[kind, default: 0] }

    /// Adds bytes, or subtracts them if negative.
    mutating func add(_ byteCount: Int, to kind: KindID) {
        byKind[kind, default: 0] += byteCount
        total += byteCount
        assert(byKind[kind] >= 0, "more bytes are released than were stored")
    }
}
