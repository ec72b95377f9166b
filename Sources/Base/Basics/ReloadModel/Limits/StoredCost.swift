/// The memory that stored devices and widgets are charged for, in bytes.
///
/// An estimate that depends only on what devices have declared: not on the order in which it came,
/// nor on what other widgets have in common with it. So the sum is the same after a restart, and a
/// value that ten thousand widgets share counts for each of them. `StoredBytesTests` compares it
/// with the real size of the tables.
///
///     device     200 + id; with a push token, 80 + the token; with one of its app, 12 + the token
///     widget     160 + id + its configuration: for each value 48 + its text; a list is 48, and
///                each of its elements 20 more than another value
///     control    a widget; with a push token, 12 + the token
///     layout     256 + 256 and the name for each parameter: once for all widgets of a kind whose
///                configurations have the same parameters
///
/// The length of a text is rounded up to a multiple of four, as it is stored.
@usableFromInline
package enum StoredCost {
    /// A device without its texts: its record, its last decisions, and its entry in the index.
    package static var device: Int { 200 }
    /// A push token without its text: the record of the device's pushes.
    package static var pushToken: Int { 80 }
    /// A push token of `byteCount` bytes of an app or control.
    package static func ownToken(_ byteCount: Int) -> Int { 12 + text(byteCount) }
    /// A widget without its texts and parameters: its records, its budget and its timer.
    package static var widget: Int { 160 }
    /// A value without its text: the value itself, and the key by which pushes find the widget.
    package static var value: Int { 48 }
    /// The surcharge for a value that is an element of a list.
    package static var element: Int { 20 }
    /// A layout: a set of parameter names that widgets of a kind have, with the rule compiled for
    /// it.
    package static var layout: Int { 256 }
    /// Each parameter of a layout, without its name.
    package static var layoutParameter: Int { 256 }

    /// A text of `byteCount` bytes as it is stored: its length rounded up to a multiple of four.
    @inlinable
    package static func text(_ byteCount: Int) -> Int { (byteCount + 3) & ~3 }
}
