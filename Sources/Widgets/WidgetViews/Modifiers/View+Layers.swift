public import Foundation

// Modifiers that add views in front or in the back, or take them away.

extension View {
    private func layered(back: AnyView? = nil, front: AnyView? = nil) -> AnyView {
        AnyView {
            let layers = [back?.viewContent, viewContent, front?.viewContent].compactMap(\.self)
            return .layers(layers.flatMap(\.members))
        }
    }

    /// Adds a view in the back.
    public func background<Content: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content
    ) -> some View { layered(back: AnyView(content())) }

    /// Adds a view in the back.
    @_disfavoredOverload
    public func background<Content: View>(
        _ content: Content,
        alignment: Alignment = .center
    ) -> some View { layered(back: AnyView(content)) }

    /// Adds a view in front.
    public func overlay<Content: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content
    ) -> some View { layered(front: AnyView(content())) }

    /// Adds a view in front.
    public func overlay<Content: View>(
        _ content: Content,
        alignment: Alignment = .center
    ) -> some View { layered(front: AnyView(content)) }

    /// Sets the background of the widget: its views are in the back, a colour is noted.
    ///
    /// An accessory has no background, whose views are not even asked for: they may contain this
    /// view.
    public func containerBackground<Content: View>(
        for container: ContainerBackgroundPlacement,
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content
    ) -> some View {
        let content = content()
        return AnyView {
            guard EnvironmentValues.now.showsWidgetContainerBackground else { return viewContent }
            let back = content.viewContent
            if case .color(let color) = back.withoutNotes {
                return .noted(
                    viewContent,
                    ViewNote("containerBackground", value: color.description)
                )
            }
            let views = back.members + viewContent.members
            return .noted(.layers(views), ViewNote("containerBackground"))
        }
    }

    /// Adds a view at an edge.
    public func safeAreaInset<Content: View>(
        edge: Edge,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) -> some View {
        overlay(content: content)
    }

    /// Draws nothing of the view, which takes no space here.
    public func hidden() -> some View {
        AnyView { .noted(.empty, ViewNote("hidden")) }
    }
}
