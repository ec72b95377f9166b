internal import ByteStorage
internal import EventPatterns

/// Memory for one text with its case folded.
@safe
struct FoldBuffer: ~Copyable {
    /// Apart, so that folding needs no exclusive access to the matcher.
    private let memory: UnsafeMutablePointer<GrowingBuffer<UInt8>>

    /// Bytes held from the system, used or not.
    var byteCount: Int { unsafe memory.pointee.byteCount }

    init() {
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: GrowingBuffer(capacity: 1_024))
    }

    deinit {
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
    }

    /// The folded text, valid until the next one is asked for.
    func fold(_ text: ByteView) -> ByteView {
        unsafe memory.pointee.reserve(CaseFolding.capacity(text.count))
        let base = unsafe memory.pointee.elements
        let count = unsafe CaseFolding.fold(text, into: base)
        return unsafe ByteView(base: base, count: count)
    }
}
