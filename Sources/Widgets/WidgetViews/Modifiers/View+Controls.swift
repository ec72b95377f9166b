public import Foundation

// Modifiers that are kept as notes: they change nothing that is drawn, but for colours.

extension View {
    /// Notes `buttonStyle`.
    public func buttonStyle(_ style: some PrimitiveButtonStyle) -> some View {
        noted("buttonStyle")
    }
    /// Notes `buttonStyle`.
    public func buttonStyle(_ style: some ButtonStyle) -> some View { noted("buttonStyle") }
    /// Notes `buttonBorderShape`.
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View {
        noted("buttonBorderShape")
    }
    /// Notes `toggleStyle`.
    public func toggleStyle(_ style: some ToggleStyle) -> some View { noted("toggleStyle") }
    /// Notes `progressViewStyle`.
    public func progressViewStyle(_ style: some ProgressViewStyle) -> some View {
        noted("progressViewStyle")
    }
    /// Notes `gaugeStyle`.
    public func gaugeStyle(_ style: some GaugeStyle) -> some View { noted("gaugeStyle") }
    /// Notes `listStyle`.
    public func listStyle(_ style: some ListStyle) -> some View { noted("listStyle") }
    /// Notes `controlSize`.
    public func controlSize(_ size: ControlSize) -> some View { noted("controlSize") }
    /// Notes `disabled`.
    public func disabled(_ isDisabled: Bool) -> some View { noted("disabled") }
    /// Notes `allowsHitTesting`.
    public func allowsHitTesting(_ isEnabled: Bool) -> some View { noted("allowsHitTesting") }
    /// Notes `labelsHidden`.
    public func labelsHidden() -> some View { noted("labelsHidden") }
    /// Notes `id`.
    public func id(_ id: some Hashable) -> some View { noted("id") }
    /// Notes `tag`.
    public func tag(_ tag: some Hashable) -> some View { noted("tag") }
    /// Notes `onAppear`.
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { noted("onAppear") }
    /// Notes `onDisappear`.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        noted("onDisappear")
    }
    /// Notes `onTapGesture`.
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        noted("onTapGesture")
    }
    /// Notes `onChange`.
    public func onChange(
        of value: some Equatable,
        perform action: @escaping (Any) -> Void
    ) -> some View { noted("onChange") }
    /// Notes `task`.
    public func task(
        priority: TaskPriority = .userInitiated,
        _ action: @escaping @Sendable () async -> Void
    ) -> some View { noted("task") }
    /// Notes `onOpenURL`.
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        noted("onOpenURL")
    }
    /// Notes `navigationTitle`.
    public func navigationTitle(_ title: LocalizedStringKey) -> some View {
        noted("navigationTitle")
    }
    /// Notes `help`.
    public func help(_ text: LocalizedStringKey) -> some View { noted("help") }
    /// Notes `previewContext`.
    public func previewContext(_ context: some PreviewContext) -> some View {
        noted("previewContext")
    }
    /// Notes `previewDisplayName`.
    public func previewDisplayName(_ name: String?) -> some View { noted("previewDisplayName") }
    /// Notes `previewDevice`.
    public func previewDevice(_ device: PreviewDevice?) -> some View { noted("previewDevice") }
    /// Notes `previewLayout`.
    public func previewLayout(_ layout: PreviewLayout) -> some View { noted("previewLayout") }
    /// Notes `animation`.
    public func animation(_ animation: Animation?, value: some Equatable) -> some View {
        noted("animation")
    }
    /// Notes `animation`.
    public func animation(_ animation: Animation?) -> some View { noted("animation") }
    /// Notes `transition`.
    public func transition(_ transition: AnyTransition) -> some View { noted("transition") }
    /// Notes `contentTransition`.
    public func contentTransition(_ transition: ContentTransition) -> some View {
        noted("contentTransition")
    }
    /// Notes `matchedGeometryEffect`.
    public func matchedGeometryEffect(id: some Hashable, in namespace: Namespace.ID) -> some View {
        noted("matchedGeometryEffect")
    }
    /// Notes `geometryGroup`.
    public func geometryGroup() -> some View { noted("geometryGroup") }
}
