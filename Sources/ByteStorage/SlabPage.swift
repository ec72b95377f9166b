/// A page of a `TrackedSlab` as it was when a checkpoint began; valid until the slab's next change.
@safe
package struct SlabPage<Element: BitwiseCopyable> {
    package let number: UInt32
    /// How many elements it has: 64, but for the slab's last page.
    package let count: Int
    @usableFromInline let elements: UnsafePointer<Element>

    @unsafe
    init(_ page: PageCopies.Page, _ elements: UnsafePointer<Element>) {
        number = page.number
        count = Int(page.count)
        unsafe self.elements = unsafe elements
    }

    /// The slot of its first element.
    package var firstSlot: UInt32 { number << SlabPages.shift }

    @inlinable
    package subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count, "a page has no such element")
        return unsafe elements[index]
    }
}

/// How `TrackedSlab` is cut in pages: as `FreeNumbers` is in words.
@usableFromInline
enum SlabPages {
    @inlinable static var shift: UInt32 { 6 }
    /// Elements of a page.
    @inlinable static var length: UInt32 { 1 << shift }

    /// How many pages so many elements have.
    @inlinable @inline(__always)
    static func count(_ elements: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(elements) + UInt64(length) - 1) >> UInt64(shift))
    }
}
