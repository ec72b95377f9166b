/// Lets the input of some connections of a loop wait, while that of the others is read; see
/// `Loop.takesInput`, which lets all input wait.
package final class InputGate {
    /// True while the input of its connections is read. While it is false, the owner of one with
    /// input gets `connectionHasDeferredInput`.
    package var isOpen = true

    /// A gate that is open.
    package init() {}
}
