internal import ReloadModel

/// The cost of an index's widgets in bytes of `StoredCost`, by kind and in total.
struct StoredCosts {
    /// Bytes of all widgets.
    private(set) var total = 0
    private var byKind: ContiguousArray<Int> = []

    /// Bytes of a kind's widgets; 0 exactly if none is stored.
    subscript(kind: KindID) -> Int { Int(kind) < byKind.count ? byKind[Int(kind)] : 0 }

    /// Adds bytes, or subtracts them if negative.
    mutating func add(_ byteCount: Int, to kind: KindID) {
        while byKind.count <= Int(kind) { byKind.append(0) }
        byKind[Int(kind)] += byteCount
        total += byteCount
        assert(byKind[Int(kind)] >= 0, "more is taken back than was stored")
    }
}
