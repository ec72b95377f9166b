/// What a matcher has found, lent or taken out, in memory that is used again.
package struct MatchList: ~Copyable {
    var matches = GrowingBuffer<WidgetMatch>(capacity: 256)

    package init() {}

    /// Bytes held from the system, used or not.
    package var byteCount: Int { matches.byteCount }

    /// Lends the matches, push by push in the order in which the pushes were queued.
    @inline(__always)
    package func withMatches(_ body: (Span<WidgetMatch>) -> Void) {
        unsafe body(
            Span(_unsafeStart: UnsafePointer(matches.elements), count: matches.count)
        )
    }
}
