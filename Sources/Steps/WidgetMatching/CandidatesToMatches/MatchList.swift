/// Matches moved out of a `WidgetMatcher` with `moveMatches`, in memory that is reused.
package struct MatchList: ~Copyable {
    var matches = GrowingBuffer<WidgetMatch>(capacity: 256)

    /// Creates an empty list with memory for 256 matches.
    package init() {}

    /// Bytes allocated, used or not.
    package var byteCount: Int { matches.byteCount }

    /// Calls `body` with the matches, ordered by push, as the pushes were queued.
    @inline(__always)
    package func withMatches(_ body: (Span<WidgetMatch>) -> Void) {
        unsafe body(
            Span(_unsafeStart: UnsafePointer(matches.elements), count: matches.count)
        )
    }
}
