package import WidgetTimelines

/// The widgets of a newspaper.
package struct NewsWidgets: WidgetBundle {
    /// Makes the bundle.
    package init() {}

    /// The widgets of the bundle, in the order of the gallery.
    package var body: some Widget {
        TopicStories()
        TeamScore()
        Headlines()
    }
}
