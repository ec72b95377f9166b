public import Basics

/// The number of a push in `PushFields`, from 0 in the order in which they were read; valid until
/// the end of the batch. `none` stands for a push that was not read, because no kind of its app
/// declared fields.
@frozen @usableFromInline
package struct PushHandle: SlotNumber {
    /// The number itself.
    @usableFromInline package let rawValue: UInt32

    /// Makes the handle from its number.
    @inlinable @inline(__always)
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}
