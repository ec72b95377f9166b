package import ReloadModel

/// A widget that a push concerns; a result of `WidgetMatcher.matchQueued`.
package struct WidgetMatch: BitwiseCopyable, Equatable {
    package let widget: WidgetID
    /// The tag with which the push was queued.
    package let tag: UInt32

    package init(widget: WidgetID, tag: UInt32) {
        self.widget = widget
        self.tag = tag
    }
}
