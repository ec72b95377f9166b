/// A view that does something when it is tapped. Here nothing taps it.
public struct Button<Label: View>: ContentView {
    let label: Label

    /// The view.
    public var viewContent: ViewContent { .noted(label.viewContent, ViewNote("button")) }
}
