package import Basics

/// A widget that a push matches; a result of `WidgetMatcher.matchQueued`.
package struct WidgetMatch: BitwiseCopyable, Equatable {
    /// The widget's number in the index.
    package let widget: WidgetID
    /// The tag with which the push was queued.
    package let tag: UInt32

    /// A match of one widget and one push; also made from an input that records it.
    package init(widget: WidgetID, tag: UInt32) {
        self.widget = widget
        self.tag = tag
    }
}

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
        unsafe body(Span(_unsafeStart: UnsafePointer(matches.elements), count: matches.count))
    }
}
