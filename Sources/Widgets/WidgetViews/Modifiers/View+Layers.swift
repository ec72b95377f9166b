public import Foundation

/// A container whose background a view may set.
public struct ContainerBackgroundPlacement: Hashable, Sendable {
    /// The widget.
    public static let widget = ContainerBackgroundPlacement()
    /// A view that leads to others.
    public static let navigation = ContainerBackgroundPlacement()
}

// Modifiers that add views in front or in the back.

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

    /// Adds the usual background.
    public func background() -> some View { noted("background") }

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

    /// Notes a colour in front.
    @_disfavoredOverload
    public func overlay(
        _ style: some ShapeStyle,
        ignoresSafeAreaEdges edges: Edge.Set = .all
    ) -> some View { noted("overlay") }

    /// Notes what the view is cut out with.
    public func mask<Content: View>(
        alignment: Alignment = .center,
        @ViewBuilder _ mask: () -> Content
    ) -> some View { noted("mask") }

    /// Notes what the view is cut out with.
    public func mask(_ mask: some View) -> some View { noted("mask") }

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

    /// Sets the background of the widget.
    public func containerBackground(
        _ style: some ShapeStyle,
        for container: ContainerBackgroundPlacement
    ) -> some View {
        noted("containerBackground", value: style.drawnColor?.description ?? "")
    }

    /// Adds a view at an edge.
    public func safeAreaInset<Content: View>(
        edge: Edge,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) -> some View {
        overlay(content: content)
    }

    /// Notes a menu.
    public func contextMenu<Content: View>(
        @ViewBuilder menuItems: () -> Content
    ) -> some View { noted("contextMenu") }

    /// Notes what is spoken.
    public func accessibilityChildren<Content: View>(
        @ViewBuilder children: () -> Content
    ) -> some View { noted("accessibilityChildren") }

    /// Notes what is spoken for the view in place of its own text.
    public func accessibilityRepresentation<Content: View>(
        @ViewBuilder representation: () -> Content
    ) -> some View { noted("accessibilityRepresentation") }
}
