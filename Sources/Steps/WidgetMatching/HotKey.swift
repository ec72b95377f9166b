package import ReloadModel

/// A key by which many pushes have found widgets.
package struct HotKey: Equatable, Sendable {
    /// Of one of the widgets under the key; others may have the same key.
    package let kind: KindID
    /// What the payloads had, such as `character=elf-42`.
    package let text: String
    /// About how many pushes have found widgets by it lately, and how many widgets.
    package let pushes: UInt64
    package let matched: UInt64
}
