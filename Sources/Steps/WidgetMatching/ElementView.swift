/// Adjacent plain values in memory that belongs to something else: the nodes of a rule, the words
/// of a key, postings of a list. Valid as long as the source says; no index reads outside of it.
@safe
struct ElementView<Element: BitwiseCopyable>: BitwiseCopyable {
    private let base: UnsafePointer<Element>
    let count: Int

    @unsafe @inline(__always)
    init(base: UnsafePointer<Element>, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        precondition(
            UInt(bitPattern: index) < UInt(bitPattern: count),
            "element \(index) of \(count)"
        )
        return unsafe base[index]
    }
}
