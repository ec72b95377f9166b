package import ReloadModel

/// A widget that a push concerns.
package struct WidgetMatch: BitwiseCopyable, Equatable {
    package let widget: WidgetID
    /// What the push was queued with.
    package let tag: UInt32

    package init(widget: WidgetID, tag: UInt32) {
        self.widget = widget
        self.tag = tag
    }
}
