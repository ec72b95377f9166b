public import Foundation

/// Views that share an effect of glass.
public struct GlassEffectContainer: ContentView {
    private let content: () -> ViewContent

    /// Makes the container of the views.
    public init<Content: View>(
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        let content = content()
        self.content = { content.viewContent }
    }

    /// The views.
    public var viewContent: ViewContent { .group(content().members) }
}
