/// Pages that were copied before they changed, and that the checkpoint has not taken yet.
///
///     pages      [ number, count   ] [ number, count   ]                    last in, first out
///     buffers    [ bytes of a page ] [ bytes of a page ] [ unused ] [ unused ] …
///
/// There are never more than the slab has pages. Buffers are used again; those that are unused
/// beyond `keptBuffers` are given back one at a time, as giving back many stops the loop.
@safe
struct PageCopies: ~Copyable {
    struct Page: BitwiseCopyable {
        var number: UInt32
        var count: UInt32
    }

    private static var keptBuffers: Int { 256 }

    /// Bytes of a buffer.
    private let bufferLength: Int
    private var pages = ContiguousArray<Page>()
    private var buffers = unsafe ContiguousArray<UnsafeMutableRawPointer>()

    /// How many pages are waiting to be taken.
    var count: Int { pages.count }

    /// Bytes held from the system, used or not.
    var byteCount: Int {
        unsafe buffers.count * bufferLength + pages.capacity * MemoryLayout<Page>.stride
            + buffers.capacity * MemoryLayout<UnsafeMutableRawPointer>.stride
    }

    init(bufferLength: Int) {
        self.bufferLength = bufferLength
    }

    deinit {
        let count = unsafe buffers.count
        for index in 0..<count { unsafe buffers[index].deallocate() }
    }

    /// Copies a page, of which `length` bytes are in use.
    @unsafe
    mutating func append(_ page: Page, _ bytes: UnsafeRawPointer, length: Int) {
        assert(length <= bufferLength)
        if unsafe pages.count == buffers.count {
            unsafe buffers.append(.allocate(byteCount: bufferLength, alignment: 64))
        }
        unsafe buffers[pages.count].copyMemory(from: bytes, byteCount: length)
        pages.append(page)
    }

    /// Takes out a page; its bytes are valid until the next change.
    mutating func popLast() -> (page: Page, bytes: UnsafeRawPointer)? {
        if unsafe buffers.count > pages.count + Self.keptBuffers {
            unsafe buffers.removeLast().deallocate()
        }
        guard let page = pages.popLast() else { return nil }
        return unsafe (page, UnsafeRawPointer(buffers[pages.count]))
    }

    mutating func removeAll() {
        pages.removeAll(keepingCapacity: true)
    }
}
