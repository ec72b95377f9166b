/// A page of a `TrackedSlab` as it was when the checkpoint began; valid until the slab's next
/// change.
@safe
package struct SlabPage<Element: BitwiseCopyable> {
    /// The page's number, as `SlabPages.page(of:)` gives it for its elements.
    package let number: UInt32
    /// The number of elements: `SlabPages.length`, except in the slab's last page.
    package let count: Int
    @usableFromInline let elements: UnsafePointer<Element>

    @unsafe
    init(_ page: PageCopies.Page, elements: UnsafePointer<Element>) {
        number = page.number
        count = Int(page.count)
        unsafe self.elements = unsafe elements
    }

    /// The element at a position in the page, counted from 0; traps from `count` on.
    @inlinable
    package subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count, "a page has no such element")
        return unsafe elements[index]
    }
}
