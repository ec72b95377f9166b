extension View {
    /// The view with another one in the back or in front, as a note of the modifier's name.
    func noted(_ name: String, view other: some View, alignment: Alignment) -> AnyView {
        AnyView {
            .noted(viewContent, ViewNote(name, value: .view(other.viewContent, alignment)))
        }
    }

    /// Sets the background of the widget: its views are in the back.
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
            let back = NoteValue.view(content.viewContent, alignment)
            return .noted(viewContent, ViewNote("containerBackground", value: back))
        }
    }
}
