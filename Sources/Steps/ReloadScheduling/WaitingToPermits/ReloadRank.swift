/// The order in which reloads that wait for a permit at their origin are served, first to last.
package enum ReloadRank: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Reloads of urgent requests.
    case urgent
    /// Reloads of widgets that were visible when last reported.
    case visible
    /// All other reloads.
    case other
}
