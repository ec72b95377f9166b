internal import Basics
internal import EventPatterns

/// Memory for one text with its case folded; reused for the next.
struct FoldBuffer: ~Copyable {
    private var memory = GrowingBuffer<UInt8>(capacity: 1_024)

    /// Bytes allocated, used or not.
    var byteCount: Int { memory.byteCount }

    init() {}

    /// The folded text, valid until the next call.
    mutating func fold(_ text: ByteView) -> ByteView {
        memory.reserve(CaseFolding.capacity(text.count))
        let count = unsafe CaseFolding.fold(text, into: memory.elements)
        return unsafe ByteView(base: memory.elements, count: count)
    }
}
