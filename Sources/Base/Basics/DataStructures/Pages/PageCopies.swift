/// Copies of pages made before they changed, which the checkpoint has not written yet; part of
/// `TrackedSlab`.
///
///     pages      [ number, count   ] [ number, count   ]                    last in, first out
///     buffers    [ bytes of a page ] [ bytes of a page ] [ unused ] [ unused ] …
///
/// There are never more copies than the slab has pages. Buffers are reused; unused ones beyond
/// `keptBuffers` are deallocated one at a time, because deallocating many at once stops the loop.
@safe
struct PageCopies: ~Copyable {
    /// A copied page: its number, and how many elements it has.
    struct Page: BitwiseCopyable {
        var number: UInt32
        var count: UInt32
    }

    /// The number of unused buffers that are kept.
    private static var keptBuffers: Int { 256 }

    /// The length of each buffer, in bytes.
    private let bufferLength: Int
    private(set) var pages = ContiguousArray<Page>()
    private(set) var buffers = unsafe ContiguousArray<UnsafeMutableRawPointer>()

    /// The number of copies that are not written yet.
    var count: Int { pages.count }

    /// The bytes allocated from the system, used or not.
    var byteCount: Int {
        unsafe buffers.count * bufferLength + pages.capacity * MemoryLayout<Page>.stride
            + buffers.capacity * MemoryLayout<UnsafeMutableRawPointer>.stride
    }

    init(bufferLength: Int) { self.bufferLength = bufferLength }

    deinit {
        let count = unsafe buffers.count
        for index in 0..<count { unsafe buffers[index].deallocate() }
    }

    /// Copies the first `length` bytes of a page.
    @unsafe
    mutating func append(_ page: Page, bytes: UnsafeRawPointer, length: Int) {
        precondition(length >= 0 && length <= bufferLength, "a page of \(length) bytes")
        if unsafe pages.count == buffers.count {
            unsafe buffers.append(.allocate(byteCount: bufferLength, alignment: 64))
        }
        unsafe buffers[pages.count].copyMemory(from: bytes, byteCount: length)
        pages.append(page)
    }

    /// Removes the newest copy and returns it; its bytes are valid until the next mutation.
    ///
    /// Also deallocates one surplus buffer, if there is any.
    mutating func popLast() -> (page: Page, bytes: UnsafeRawPointer)? {
        if unsafe buffers.count > pages.count + Self.keptBuffers {
            unsafe buffers.removeLast().deallocate()
        }
        guard let page = pages.popLast() else { return nil }
        return unsafe (page, UnsafeRawPointer(buffers[pages.count]))
    }

    /// Discards all copies; the buffers stay for later ones.
    mutating func removeAll() { pages.removeAll(keepingCapacity: true) }
}
