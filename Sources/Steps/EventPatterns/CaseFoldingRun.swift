/// Consecutive scalars, or every second one, that simple case folding moves by the same distance; a
/// row of `CaseFoldingTable`.
struct CaseFoldingRun: BitwiseCopyable {
    let first: UInt32
    let last: UInt32
    /// Distance to the folded scalar.
    let delta: Int32
    /// 1 if all scalars from `first` to `last` are folded, 2 if only every second one is.
    let stride: UInt32

    init(_ first: UInt32, to last: UInt32, delta: Int32, stride: UInt32) {
        self.first = first
        self.last = last
        self.delta = delta
        self.stride = stride
    }
}
