/// A value on the heap with one owner, which is a single pointer, however large the value is.
///
/// Swift lends a struct by its bits: a function that only asks something of one gets a copy of all of
/// it, if the caller could change it meanwhile. A value with many tables in it is therefore kept here:
/// what is lent is the pointer. Its address never changes.
@safe @frozen @usableFromInline
package struct Boxed<Value: ~Copyable>: ~Copyable {
    @usableFromInline let pointer: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ value: consuming Value) {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: value)
    }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an inlinable
    // accessor.
    @inlinable deinit {
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }

    @inlinable package var value: Value {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
        @inline(__always) unsafeMutableAddress { unsafe pointer }
    }

    /// Where the value lies as long as its owner lives.
    @unsafe @inlinable @inline(__always)
    package var address: UnsafePointer<Value> { unsafe UnsafePointer(pointer) }
}
