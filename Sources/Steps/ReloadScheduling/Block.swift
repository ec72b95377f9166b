/// A growing array of plain values without automatic memory management, for values that must be
/// plain bits themselves because they lie in a slab (`SlotGroup`).
///
/// Its owner frees it by calling `deallocate` or `free`. A copy shares the memory: change a block
/// only where it lies. Indexes are checked in release builds too, but what moves or frees the
/// memory is unsafe: nothing can check whether a copy is used afterwards.
@safe
struct Block<Element: BitwiseCopyable>: BitwiseCopyable {
    /// The memory; nil while none is allocated.
    private(set) var elements: UnsafeMutablePointer<Element>?
    private(set) var count: UInt32 = 0
    private(set) var capacity: UInt32 = 0

    /// Bytes allocated from the system.
    var byteCount: Int { Int(capacity) * MemoryLayout<Element>.stride }

    init() { unsafe elements = nil }

    /// Copies `count` elements from `bytes`; the capacity is exactly `count`.
    @unsafe
    init(copying bytes: UnsafeRawPointer, count: UInt32) {
        unsafe elements = nil
        if count == 0 { return }
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: Int(count))
        let byteCount = Int(count) * MemoryLayout<Element>.stride
        unsafe UnsafeMutableRawPointer(copy).copyMemory(from: bytes, byteCount: byteCount)
        unsafe elements = copy
        self.count = count
        capacity = count
    }

    /// Makes `count` elements, each from its index; the capacity is exactly `count`.
    @inline(__always)
    init(count: UInt32, element: (UInt32) -> Element) {
        unsafe elements = nil
        if count == 0 { return }
        let made = UnsafeMutablePointer<Element>.allocate(capacity: Int(count))
        for index in 0..<count { unsafe (made + Int(index)).initialize(to: element(index)) }
        unsafe elements = unsafe made
        self.count = count
        capacity = count
    }

    /// Passes `count` elements from index `start` on to `body` as one span, for a loop over many;
    /// `body` is not called if the block has no memory.
    @inline(__always)
    func withElements(_ start: UInt32, count: UInt32, body: (Span<Element>) -> Void) {
        precondition(Int(start) + Int(count) <= Int(self.count))
        guard let elements = unsafe elements else { return }
        let buffer = unsafe UnsafeBufferPointer(start: elements + Int(start), count: Int(count))
        unsafe body(buffer.span)
    }

    /// The last element; nil if the block is empty.
    var last: Element? { count == 0 ? nil : self[count - 1] }

    subscript(index: UInt32) -> Element {
        @inline(__always) get {
            precondition(index < count, "element \(index) of \(count)")
            return unsafe elements.unsafelyUnwrapped[Int(index)]
        }
        @inline(__always) nonmutating set {
            precondition(index < count, "element \(index) of \(count)")
            unsafe elements.unsafelyUnwrapped[Int(index)] = newValue
        }
    }

    /// Appends an element, which may move the memory: copies must not be used afterwards.
    @unsafe @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        unsafe (elements.unsafelyUnwrapped + Int(count)).initialize(to: element)
        count += 1
    }

    /// Removes and returns the last element; nil if the block is empty.
    @inline(__always)
    mutating func popLast() -> Element? {
        if count == 0 { return nil }
        count -= 1
        return unsafe elements.unsafelyUnwrapped[Int(count)]
    }

    /// Removes all elements and keeps the memory.
    mutating func removeAll() { count = 0 }

    /// Frees the memory. The block and its copies must not be used afterwards.
    @unsafe
    func deallocate() { unsafe elements?.deallocate() }

    /// Removes all elements and frees the memory; the block may be used again, but not its copies.
    @unsafe
    mutating func free() {
        unsafe deallocate()
        unsafe elements = nil
        count = 0
        capacity = 0
    }

    /// Doubles the memory, from at least four elements.
    @inline(never)
    private mutating func grow() {
        let larger = max(4, capacity * 2)
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: Int(larger))
        if let old = unsafe elements {
            unsafe moved.moveInitialize(from: old, count: Int(count))
            unsafe old.deallocate()
        }
        unsafe elements = moved
        capacity = larger
    }
}
