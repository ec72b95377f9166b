/// What stored devices and widgets cost in memory, in bytes.
///
/// An estimate that follows from what devices have said and from nothing else: not from the order in
/// which it came, nor from what other widgets have in common with it. So the sum is the same after a
/// restart, and a value that ten thousand widgets share counts for each of them. `StoredCostTests`
/// holds it against the tables' real size.
///
///     device     200 + id + push token
///     widget     160 + id + its configuration: for each value 48 + its text; a list is 48, and each
///                of its elements 20 more than another value
///     layout     256 + 256 and the name for each parameter: once for all widgets of a kind whose
///                configurations have the same parameters
///
/// Texts count in units of four bytes, as they are stored.
@usableFromInline
package enum StoredCost {
    /// A device without names: its record, its last decisions, and its entry in the index.
    package static var device: Int { 200 }
    /// A widget without parameters: its records, its budget and its timer.
    package static var widget: Int { 160 }
    /// A value without its text: the value itself and the key by which pushes find the widget.
    package static var value: Int { 48 }
    /// What an element of a list costs beside the value that it is.
    package static var element: Int { 20 }
    /// A set of parameter names that a kind's widgets have, with the rule compiled for it.
    package static var layout: Int { 256 }
    /// What each parameter adds to that, without its name.
    package static var layoutParameter: Int { 256 }

    /// A text, as long as it is stored.
    ///
    /// - Parameter byteCount: of UTF-8.
    /// - Returns: the next multiple of four.
    @inlinable
    package static func text(_ byteCount: Int) -> Int { (byteCount + 3) & ~3 }
}
