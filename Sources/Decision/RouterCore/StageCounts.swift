/// How many widgets' reloads wait in each stage: kept as they move, because there may be ten million.
struct StageCounts {
    private var counts = InlineArray<6, Int>(repeating: 0)

    /// A widget's reload moves; `idle` is where it is if none waits.
    @inline(__always)
    mutating func move(from old: ReloadStage, to new: ReloadStage) {
        counts[Int(old.rawValue)] &-= 1
        counts[Int(new.rawValue)] &+= 1
    }

    /// Nobody counts those that are idle.
    subscript(stage: ReloadStage) -> Int { counts[Int(stage.rawValue)] }

    /// All that wait: each move leaves the sum of all counts as it was.
    var pending: Int { -self[.idle] }
}
