package import Basics

/// A key by which many pushes have found widgets, for operators.
package struct HotKey: Equatable, Sendable {
    /// The kind of one widget under the key; widgets of other kinds may have the same key.
    package let kind: KindID
    /// The condition on the payload, such as `character=elf-42`.
    package let text: String
    /// Recent pushes that found widgets by the key: an estimate that fades over time.
    package let pushes: UInt64
    /// Widgets that these pushes found by it: an estimate, too.
    package let matched: UInt64
}
