/// Scalars in a row, or every second one, that simple case folding moves by the same distance.
struct CaseFoldingRun: BitwiseCopyable {
    let first: UInt32
    let last: UInt32
    /// What is added to a scalar.
    let delta: Int32
    /// 1 for all scalars from first to last, 2 for every second.
    let stride: UInt32

    init(_ first: UInt32, _ last: UInt32, _ delta: Int32, _ stride: UInt32) {
        self.first = first
        self.last = last
        self.delta = delta
        self.stride = stride
    }
}
