internal import ReloadModel

/// Bytes of `StoredCost` that an index's widgets take, by kind and in total.
struct StoredCosts {
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
