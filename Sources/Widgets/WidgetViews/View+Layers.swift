extension View {
    /// The view with another one in the back or in front.
    func layered(back: AnyView? = nil, front: AnyView? = nil) -> AnyView {
        AnyView {
            let layers = [back?.viewContent, viewContent, front?.viewContent].compactMap(\.self)
            return .layers(layers.flatMap(\.members))
        }
    }

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
}
