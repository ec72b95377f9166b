/// Which of the reloads that wait for their origin goes first.
package enum ReloadRank: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case urgent
    /// Of widgets that were last seen visible.
    case visible
    case other
}
