/// A value on the heap with a single owner; passing it costs one pointer, however large the value
/// is.
///
/// Swift passes a borrowed struct by its bits: a function that only reads a value gets a copy of
/// all of it, if the caller might change the original meanwhile. Values made of many tables are
/// therefore boxed, so that only the pointer is copied. The address stays the same for the box's
/// life.
@safe @frozen @usableFromInline
package struct Boxed<Value: ~Copyable>: ~Copyable {
    @usableFromInline let pointer: UnsafeMutablePointer<Value>

    /// Moves a value to the heap; it is destroyed with the box.
    @inlinable
    package init(_ value: consuming Value) {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: value)
    }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an
    // inlinable accessor.
    @inlinable deinit {
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }

    /// The value, which is read and changed in place.
    @inlinable package var value: Value {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
        @inline(__always) unsafeMutableAddress { unsafe pointer }
    }

    /// The address of the value, valid as long as the box.
    @unsafe @inlinable @inline(__always)
    package var address: UnsafePointer<Value> { unsafe UnsafePointer(pointer) }
}

/// A member of no size, by which a large structure is passed to functions by its address.
///
/// Swift copies the bits of a large structure to call a function that only reads it, even of one
/// that cannot be copied: for 2,500 bytes that was a quarter of a push's time. It does not copy a
/// structure of which any member has a layout that is known at run time alone, as an existential
/// has. This is a list of none of these.
@frozen @usableFromInline
package struct PassedByAddress: Sendable {
    private let none: InlineArray<0, any Sendable> = []

    /// The member.
    package init() {}
}
