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
