/// The number of widgets whose reloads wait in each stage. It is kept up to date at each move,
/// because there may be ten million widgets.
struct StageCounts {
    private var counts = InlineArray<6, Int>(repeating: 0)

    /// Counts a widget's move to another stage; `idle` is the stage without a pending reload.
    @inline(__always)
    mutating func move(from old: ReloadStage, to new: ReloadStage) {
        counts[Int(old.rawValue)] &-= 1
        counts[Int(new.rawValue)] &+= 1
    }

    /// The number of widgets in a stage other than `idle`. The count of `idle` begins at 0 and
    /// falls with each pending reload.
    subscript(stage: ReloadStage) -> Int { counts[Int(stage.rawValue)] }

    /// The number of pending reloads. It is minus the count of `idle`, because a move leaves the
    /// sum of all counts at 0.
    var pending: Int { -self[.idle] }
}
