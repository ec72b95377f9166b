/// How saved tables are divided into pages of 64 elements.
///
/// In memory a page is the unit that is copied before it changes; in the store it is one record.
@usableFromInline
package enum SlabPages {
    /// How many low bits of an element's number give its position in the page; the others are the
    /// page.
    @inlinable package static var shift: UInt32 { 6 }
    /// The number of elements of a page.
    @inlinable package static var length: UInt32 { 1 << shift }
    /// One above the highest page number.
    ///
    /// The last page that 32-bit element numbers would allow is left out, so that the number after
    /// a page's last element always fits in 32 bits.
    package static var limit: UInt32 { UInt32.max >> shift }

    /// The number of pages that a count of elements needs.
    @inlinable @inline(__always)
    package static func count(_ elements: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(elements) + UInt64(length) - 1) >> UInt64(shift))
    }

    /// The page that contains an element.
    @inlinable @inline(__always)
    package static func page(of element: UInt32) -> UInt32 { element >> shift }

    /// The first element of a page.
    @inlinable @inline(__always)
    package static func first(of page: UInt32) -> UInt32 { page << shift }

    /// The slots of a page's elements.
    package static func ids<ID: TableNumber>(of page: UInt32) -> NumberRange<ID> {
        NumberRange(from: Int(first(of: page)), to: Int(first(of: page) + length))
    }
}
