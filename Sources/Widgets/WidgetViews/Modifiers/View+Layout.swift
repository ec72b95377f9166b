public import Foundation

// Modifiers that are kept as notes: they change nothing that is drawn, but for colours.

extension View {
    /// Notes `padding`.
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        noted("padding")
    }
    /// Notes `padding`.
    public func padding(_ length: CGFloat) -> some View { noted("padding") }
    /// Notes `padding`.
    public func padding(_ insets: EdgeInsets) -> some View { noted("padding") }
    /// Notes `frame`.
    public func frame(
        width: CGFloat? = nil,
        height: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { noted("frame") }
    /// Notes `frame`.
    public func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { noted("frame") }
    /// Notes `containerRelativeFrame`.
    public func containerRelativeFrame(
        _ axes: Axis.Set,
        alignment: Alignment = .center
    ) -> some View { noted("containerRelativeFrame") }
    /// Notes `fixedSize`.
    public func fixedSize() -> some View { noted("fixedSize") }
    /// Notes `fixedSize`.
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { noted("fixedSize") }
    /// Notes `layoutPriority`.
    public func layoutPriority(_ value: Double) -> some View { noted("layoutPriority") }
    /// Notes `offset`.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { noted("offset") }
    /// Notes `offset`.
    public func offset(_ offset: CGSize) -> some View { noted("offset") }
    /// Notes `position`.
    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { noted("position") }
    /// Notes `position`.
    public func position(_ position: CGPoint) -> some View { noted("position") }
    /// Notes `aspectRatio`.
    public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        noted("aspectRatio")
    }
    /// Notes `aspectRatio`.
    public func aspectRatio(_ size: CGSize, contentMode: ContentMode) -> some View {
        noted("aspectRatio")
    }
    /// Notes `scaledToFit`.
    public func scaledToFit() -> some View { noted("scaledToFit") }
    /// Notes `scaledToFill`.
    public func scaledToFill() -> some View { noted("scaledToFill") }
    /// Notes `scaleEffect`.
    public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View {
        noted("scaleEffect")
    }
    /// Notes `scaleEffect`.
    public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some View {
        noted("scaleEffect")
    }
    /// Notes `scaleEffect`.
    public func scaleEffect(
        x: CGFloat = 1,
        y: CGFloat = 1,
        anchor: UnitPoint = .center
    ) -> some View { noted("scaleEffect") }
    /// Notes `rotationEffect`.
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
        noted("rotationEffect")
    }
    /// Notes `rotation3DEffect`.
    public func rotation3DEffect(
        _ angle: Angle,
        axis: (x: CGFloat, y: CGFloat, z: CGFloat),
        anchor: UnitPoint = .center,
        perspective: CGFloat = 1
    ) -> some View { noted("rotation3DEffect") }
    /// Notes `zIndex`.
    public func zIndex(_ value: Double) -> some View { noted("zIndex") }
    /// Notes `ignoresSafeArea`.
    public func ignoresSafeArea(
        _ regions: SafeAreaRegions = .all,
        edges: Edge.Set = .all
    ) -> some View { noted("ignoresSafeArea") }
    /// Notes `edgesIgnoringSafeArea`.
    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View {
        noted("edgesIgnoringSafeArea")
    }
    /// Notes `safeAreaPadding`.
    public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        noted("safeAreaPadding")
    }
    /// Notes `contentMargins`.
    public func contentMargins(_ edges: Edge.Set = .all, _ length: CGFloat?) -> some View {
        noted("contentMargins")
    }
    /// Notes `alignmentGuide`.
    public func alignmentGuide(
        _ alignment: HorizontalAlignment,
        computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View { noted("alignmentGuide") }
    /// Notes `alignmentGuide`.
    public func alignmentGuide(
        _ alignment: VerticalAlignment,
        computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View { noted("alignmentGuide") }
    /// Notes `gridCellColumns`.
    public func gridCellColumns(_ count: Int) -> some View { noted("gridCellColumns") }
    /// Notes `gridColumnAlignment`.
    public func gridColumnAlignment(_ alignment: HorizontalAlignment) -> some View {
        noted("gridColumnAlignment")
    }
    /// Notes `gridCellUnsizedAxes`.
    public func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View { noted("gridCellUnsizedAxes") }
    /// Notes `gridCellAnchor`.
    public func gridCellAnchor(_ anchor: UnitPoint) -> some View { noted("gridCellAnchor") }
    /// Notes `listRowInsets`.
    public func listRowInsets(_ insets: EdgeInsets?) -> some View { noted("listRowInsets") }
    /// Notes `listRowSeparator`.
    public func listRowSeparator(_ visibility: Visibility) -> some View {
        noted("listRowSeparator")
    }
    /// Notes `coordinateSpace`.
    public func coordinateSpace(name: some Hashable) -> some View { noted("coordinateSpace") }
}
