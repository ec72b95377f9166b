internal import ReloadModel

/// Bytes of `StoredCost` that a matcher's widgets take, for each kind and in all.
struct StoredCosts {
    private(set) var total = 0
    private var byKind: ContiguousArray<Int> = []

    /// 0 exactly if no widget of the kind is stored.
    subscript(kind: KindID) -> Int { Int(kind) < byKind.count ? byKind[Int(kind)] : 0 }

    mutating func add(_ byteCount: Int, to kind: KindID) {
        while byKind.count <= Int(kind) { byKind.append(0) }
        byKind[Int(kind)] += byteCount
        total += byteCount
        assert(byKind[Int(kind)] >= 0, "more is taken back than was stored")
    }
}
