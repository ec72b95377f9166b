package import WidgetTimelines

/// The widgets of a newspaper.
package struct NewsWidgets: WidgetBundle {
    package init() {}

    package var body: some Widget {
        TopicStories()
        TeamScore()
        Headlines()
    }
}
