public import Foundation

/// What a live activity displays that does not change.
///
/// Source: <https://developer.apple.com/documentation/activitykit/activityattributes>.
@available(iOS 16, *)
public protocol ActivityAttributes: Codable {
    associatedtype ContentState: Codable & Hashable
}

/// The configuration of a live activity. It is accepted; there are no live activities here.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/activityconfiguration>.
@available(iOS 16, *)
public struct ActivityConfiguration<Attributes: ActivityAttributes>: WidgetConfiguration {
    /// No declarations: a live activity is no kind of widget.
    public var declarations: [WidgetDeclaration] { [] }

    /// Makes a configuration.
    public init<Content: View>(
        for attributes: Attributes.Type,
        @ViewBuilder content: @escaping (ActivityViewContext<Attributes>) -> Content,
        dynamicIsland: @escaping (ActivityViewContext<Attributes>) -> DynamicIsland
    ) {}
}

/// What the view of a live activity is made of.
@available(iOS 16, *)
public struct ActivityViewContext<Attributes: ActivityAttributes> {
    /// What does not change.
    public let attributes: Attributes
    /// What changes.
    public let state: Attributes.ContentState
    /// The activity's identifier.
    public let activityID: String
    /// Whether the state is outdated.
    public let isStale: Bool
}

/// The view of a live activity around the camera; it is not drawn.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/dynamicisland>.
@available(iOS 16, *)
public struct DynamicIsland {
    /// Makes a view.
    public init<Expanded: View, Leading: View, Trailing: View, Minimal: View>(
        @DynamicIslandExpandedContentBuilder expanded:
            @escaping () -> DynamicIslandExpandedContent<Expanded>,
        @ViewBuilder compactLeading: @escaping () -> Leading,
        @ViewBuilder compactTrailing: @escaping () -> Trailing,
        @ViewBuilder minimal: @escaping () -> Minimal
    ) {}

    /// Accepts the address that is opened.
    public func widgetURL(_ url: URL?) -> DynamicIsland { self }
    /// Accepts a colour.
    public func keylineTint(_ color: Color?) -> DynamicIsland { self }
    /// Accepts distances from the edges.
    public func contentMargins(
        _ edges: Edge.Set = .all,
        _ length: Double,
        for mode: DynamicIslandMode
    ) -> DynamicIsland { self }
}

/// A form of the view around the camera.
@available(iOS 16, *)
public struct DynamicIslandMode: Hashable, Sendable {
    /// The large form.
    public static let expanded = DynamicIslandMode()
    /// The left part of the small form.
    public static let compactLeading = DynamicIslandMode()
    /// The right part of the small form.
    public static let compactTrailing = DynamicIslandMode()
    /// The smallest form.
    public static let minimal = DynamicIslandMode()
}

/// A part of the large form.
@available(iOS 16, *)
public struct DynamicIslandExpandedRegion {
    /// Makes a part.
    public init<Content: View>(
        _ position: DynamicIslandExpandedRegionPosition,
        priority: Double = 0,
        @ViewBuilder content: @escaping () -> Content
    ) {}
}

/// Where a part of the large form is.
@available(iOS 16, *)
public struct DynamicIslandExpandedRegionPosition: Sendable {
    /// In front of the camera.
    public static let leading = DynamicIslandExpandedRegionPosition()
    /// After the camera.
    public static let trailing = DynamicIslandExpandedRegionPosition()
    /// Under the camera.
    public static let center = DynamicIslandExpandedRegionPosition()
    /// Under all others.
    public static let bottom = DynamicIslandExpandedRegionPosition()

    private init() {}
}

/// Where a view is placed in a part of the large form.
public enum DynamicIslandVerticalPlacement: Hashable, Sendable {
    case `default`
    case belowIfTooWide
}

/// The parts of the large form.
@available(iOS 16, *)
public struct DynamicIslandExpandedContent<Content: View> {}

/// Combines the parts of a block.
@available(iOS 16, *)
@resultBuilder
public struct DynamicIslandExpandedContentBuilder {
    /// A part of the block.
    public static func buildExpression(
        _ region: DynamicIslandExpandedRegion
    ) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    /// Parts of the block.
    public static func buildExpression(
        _ content: DynamicIslandExpandedContent<some View>
    ) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    /// The block.
    public static func buildBlock(
        _ contents: DynamicIslandExpandedContent<EmptyView>...
    ) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    /// An `if` without an `else`.
    public static func buildOptional(
        _ content: DynamicIslandExpandedContent<EmptyView>?
    ) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    /// An `if` that holds.
    public static func buildEither(
        first content: DynamicIslandExpandedContent<EmptyView>
    ) -> DynamicIslandExpandedContent<EmptyView> { content }
    /// An `else`.
    public static func buildEither(
        second content: DynamicIslandExpandedContent<EmptyView>
    ) -> DynamicIslandExpandedContent<EmptyView> { content }
    /// An `if #available`.
    public static func buildLimitedAvailability(
        _ content: DynamicIslandExpandedContent<EmptyView>
    ) -> DynamicIslandExpandedContent<EmptyView> { content }
}
