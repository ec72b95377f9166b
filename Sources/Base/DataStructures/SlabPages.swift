/// How what is saved is cut in pages, each of 64 elements: in memory, where a page is copied before
/// it changes, and in the store, where it is a record.
@usableFromInline
package enum SlabPages {
    /// Of the number of an element: the rest is its place in the page.
    @inlinable package static var shift: UInt32 { 6 }
    /// Elements of a page.
    @inlinable package static var length: UInt32 { 1 << shift }
    /// Pages are below this one: the last that there could be is none, so that the number behind a
    /// page is a number.
    package static var limit: UInt32 { UInt32.max >> shift }

    /// How many pages so many elements have.
    @inlinable @inline(__always)
    package static func count(_ elements: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(elements) + UInt64(length) - 1) >> UInt64(shift))
    }

    /// The page in which an element is.
    @inlinable @inline(__always)
    package static func page(of element: UInt32) -> UInt32 { element >> shift }

    /// The first element of a page.
    @inlinable @inline(__always)
    package static func first(of page: UInt32) -> UInt32 { page << shift }

    /// The elements of a page.
    package static func elements(of page: UInt32) -> Range<UInt32> {
        first(of: page)..<first(of: page) + length
    }
}
