// Made from Sources/Widgets/names/WidgetTimelines.txt by generate.py: change that table.
// swift-format-ignore-file
public import Foundation
extension View {
    public func widgetURL(_ url: URL?) -> some View { noted("widgetURL", value: url?.absoluteString) }
    public func widgetAccentable(_ isAccentable: Bool = true) -> some View { noted("widgetAccentable") }
    public func widgetLabel(_ label: LocalizedStringKey) -> some View { noted("widgetLabel") }
    @_disfavoredOverload public func widgetLabel(_ label: some StringProtocol) -> some View { noted("widgetLabel") }
    public func widgetLabel<Content: View>(@ViewBuilder label: () -> Content) -> some View { noted("widgetLabel") }
    public func widgetCurvesContent(_ isCurved: Bool = true) -> some View { noted("widgetCurvesContent") }
    public func widgetTexture(_ texture: WidgetTexture) -> some View { noted("widgetTexture") }
    public func keylineTint(_ color: Color?) -> some View { noted("keylineTint") }
    public func activityBackgroundTint(_ color: Color?) -> some View { noted("activityBackgroundTint") }
    public func activitySystemActionForegroundColor(_ color: Color?) -> some View { noted("activitySystemActionForegroundColor") }
    public func dynamicIsland(verticalPlacement: DynamicIslandVerticalPlacement) -> some View { noted("dynamicIsland") }
}
extension Image {
    public func widgetAccentedRenderingMode(_ mode: WidgetAccentedRenderingMode?) -> some View { noted("widgetAccentedRenderingMode") }
}
extension WidgetConfiguration {
    @_disfavoredOverload public func configurationDisplayName(_ name: some StringProtocol) -> some WidgetConfiguration { changed { $0.displayName = String(name) } }
    public func configurationDisplayName(_ name: LocalizedStringKey) -> some WidgetConfiguration { configurationDisplayName(Text(name)) }
    public func configurationDisplayName(_ name: Text) -> some WidgetConfiguration { changed { $0.displayName = name.viewContent.lines(at: .now).joined() } }
    @_disfavoredOverload public func configurationDisplayName(_ name: LocalizedStringResource) -> some WidgetConfiguration { changed { $0.displayName = String(localized: name) } }
    @_disfavoredOverload public func description(_ description: some StringProtocol) -> some WidgetConfiguration { changed { $0.summary = String(description) } }
    public func description(_ description: LocalizedStringKey) -> some WidgetConfiguration { self.description(Text(description)) }
    public func description(_ description: Text) -> some WidgetConfiguration { changed { $0.summary = description.viewContent.lines(at: .now).joined() } }
    @_disfavoredOverload public func description(_ description: LocalizedStringResource) -> some WidgetConfiguration { changed { $0.summary = String(localized: description) } }
    @available(iOS 15, macOS 12, watchOS 9, visionOS 26, *) public func contentMarginsDisabled() -> some WidgetConfiguration { self }
    public func containerBackgroundRemovable(_ isRemovable: Bool = true) -> some WidgetConfiguration { self }
    public func disfavoredLocations(_ locations: [WidgetLocation], for families: [WidgetFamily]) -> some WidgetConfiguration { self }
    public func promptsForUserConfiguration() -> some WidgetConfiguration { self }
    public func supportedMountingStyles(_ styles: [WidgetMountingStyle]) -> some WidgetConfiguration { self }
    public func widgetTexture(_ texture: WidgetTexture) -> some WidgetConfiguration { self }
    public func supplementalActivityFamilies(_ families: [ActivityFamily]) -> some WidgetConfiguration { self }
    public func backgroundTask<Input, Output>(_ task: BackgroundTask<Input, Output>, action: @escaping @Sendable (Input) async -> Output) -> some WidgetConfiguration { self }
    public func associatedKind(_ kind: String) -> some WidgetConfiguration { self }
}
extension ControlWidgetConfiguration {
    public func promptsForUserConfiguration() -> some ControlWidgetConfiguration { self }
    @available(iOS 18, macOS 26, watchOS 26, *) public func pushHandler(_ handler: any ControlPushHandler.Type) -> some ControlWidgetConfiguration { self }
}
extension ControlWidgetTemplate {
    public func tint(_ color: Color?) -> some ControlWidgetTemplate { self }
    public func disabled(_ isDisabled: Bool) -> some ControlWidgetTemplate { self }
    public func controlWidgetActionHint(_ hint: LocalizedStringResource) -> some ControlWidgetTemplate { self }
    public func controlWidgetStatus(_ status: LocalizedStringResource) -> some ControlWidgetTemplate { self }
}
@available(iOS 18, *) public enum ActivityFamily: Hashable, Sendable {
    case small, medium
}
/// A task in the background.
public struct BackgroundTask<Input, Output>: Sendable {
    public static func urlSession(_ identifier: String) -> BackgroundTask<Void, Void> where Input == Void, Output == Void { BackgroundTask<Void, Void>() }
}
public enum DynamicIslandVerticalPlacement: Hashable, Sendable {
    case `default`, belowIfTooWide
}
public enum LevelOfDetail: Hashable, Sendable {
    case `default`, simplified
}
@available(iOS 17, *) public struct WidgetLocation: Hashable, Sendable {
    public static let homeScreen = WidgetLocation()
    public static let lockScreen = WidgetLocation()
    public static let standBy = WidgetLocation()
    public static let iPhoneWidgetsOnMac = WidgetLocation()
    public static let carPlay = WidgetLocation()
}
public struct WidgetMountingStyle: Hashable, Sendable {
    public static let elevated = WidgetMountingStyle()
    public static let recessed = WidgetMountingStyle()
}
public struct WidgetTexture: Hashable, Sendable {
    public static let glass = WidgetTexture()
    public static let paper = WidgetTexture()
}
@available(iOS 16, *) public struct WidgetRenderingMode: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public static let fullColor = WidgetRenderingMode(description: "fullColor")
    public static let accented = WidgetRenderingMode(description: "accented")
    public static let vibrant = WidgetRenderingMode(description: "vibrant")
}
@available(iOS 18, *) public struct WidgetAccentedRenderingMode: Hashable, Sendable {
    public static let accented = WidgetAccentedRenderingMode()
    public static let accentedDesaturated = WidgetAccentedRenderingMode()
    public static let desaturated = WidgetAccentedRenderingMode()
    public static let fullColor = WidgetAccentedRenderingMode()
}
@available(iOS 14, *) public struct WidgetPreviewContext: PreviewContext {
    public init(family: WidgetFamily) {}
}
extension EnvironmentValues {
    public var widgetFamily: WidgetFamily {
        get { value(\.widgetFamily, or: .systemSmall) }
        set { set(\.widgetFamily, to: newValue) }
    }
    public var widgetRenderingMode: WidgetRenderingMode {
        get { value(\.widgetRenderingMode, or: .fullColor) }
        set { set(\.widgetRenderingMode, to: newValue) }
    }
    public var activityFamily: ActivityFamily {
        get { value(\.activityFamily, or: .medium) }
        set { set(\.activityFamily, to: newValue) }
    }
}
/// The usual background of widgets on a lock screen.
@available(iOS 16, *) public struct AccessoryWidgetBackground: View {
    public init() {}
    public var body: some View { EmptyView() }
}
public struct EmptyControlWidgetTemplate: ControlWidgetTemplate {
    public init() {}
    public var body: some View { EmptyView() }
}
public struct EmptyWidgetConfiguration: WidgetConfiguration {
    public init() {}
    public var declarations: [WidgetDeclaration] { [] }
}
/// The configuration of a widget that is displayed when it is relevant.
public struct RelevanceConfiguration: WidgetConfiguration {
    public var declarations: [WidgetDeclaration] { [] }
    public init<Provider: RelevanceEntriesProvider, Content: View>(kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content) {}
}
/// Makes the entries of a `RelevanceConfiguration`.
public protocol RelevanceEntriesProvider {
    associatedtype Configuration
    associatedtype Entry: RelevanceEntry
    typealias Context = TimelineProviderContext
    func relevance() async -> WidgetRelevance<Configuration>
    func entry(configuration: Configuration, context: Context) async throws -> Entry
    func placeholder(context: Context) -> Entry
}
public protocol RelevanceEntry {}
/// When something is relevant.
public struct RelevantContext: Hashable, Sendable {
    public static func date(_ date: Date) -> RelevantContext { RelevantContext() }
    public static func date(from start: Date, to end: Date) -> RelevantContext { RelevantContext() }
    public static func date(interval: DateInterval) -> RelevantContext { RelevantContext() }
    public static func date(range: ClosedRange<Date>) -> RelevantContext { RelevantContext() }
}
@available(iOS 18, *) public struct WidgetRelevance<Configuration>: Sendable {
    public init(_ attributes: [WidgetRelevanceAttribute<Configuration>]) {}
}
@available(iOS 18, *) public struct WidgetRelevanceAttribute<Configuration>: Sendable {
    public init(configuration: Configuration, context: RelevantContext) {}
    public init(configuration: Configuration, context: RelevantContext, group: WidgetRelevanceGroup) {}
    public init(context: RelevantContext) where Configuration == Void {}
}
@available(iOS 18, *) public struct WidgetRelevanceGroup: Sendable {
    public static let automatic = WidgetRelevanceGroup()
    public static let ungrouped = WidgetRelevanceGroup()
    public static func named(_ name: String) -> WidgetRelevanceGroup { WidgetRelevanceGroup() }
}
/// Receives the push tokens of an app's controls.
@available(iOS 18, macOS 26, watchOS 26, *) public protocol ControlPushHandler {
    init()
    func pushTokensDidChange(controls: [ControlInfo])
}
@resultBuilder public enum ControlWidgetConfigurationBuilder {
    public static func buildBlock<Content: ControlWidgetConfiguration>(_ content: Content) -> Content { content }
}
@resultBuilder public enum ControlWidgetTemplateBuilder {
    public static func buildExpression(_ template: some ControlWidgetTemplate) -> AnyControlWidgetTemplate { AnyControlWidgetTemplate(template) }
    public static func buildBlock(_ template: AnyControlWidgetTemplate) -> AnyControlWidgetTemplate { template }
    public static func buildEither(first template: AnyControlWidgetTemplate) -> AnyControlWidgetTemplate { template }
    public static func buildEither(second template: AnyControlWidgetTemplate) -> AnyControlWidgetTemplate { template }
    public static func buildOptional(_ template: AnyControlWidgetTemplate?) -> AnyControlWidgetTemplate { template ?? AnyControlWidgetTemplate(EmptyControlWidgetTemplate()) }
    public static func buildLimitedAvailability(_ template: some ControlWidgetTemplate) -> AnyControlWidgetTemplate { AnyControlWidgetTemplate(template) }
}
@available(iOS 18, *) extension ControlWidgetButton {
    public init<Content: View>(action: some AppIntent, @ViewBuilder label: @escaping () -> Content) { self.init(label: AnyView(label())) }
    public init<Content: View, Active: View>(action: some AppIntent, @ViewBuilder label: @escaping () -> Content, @ViewBuilder actionLabel: @escaping (Bool) -> Active) { self.init(label: AnyView(label())) }
    public init<Active: View>(_ title: LocalizedStringResource, action: some AppIntent, @ViewBuilder actionLabel: @escaping (Bool) -> Active) { self.init(label: AnyView(Text(title))) }
    public init(_ title: LocalizedStringResource, action: some AppIntent) { self.init(label: AnyView(Text(title))) }
}
@available(iOS 18, *) extension ControlWidgetToggle {
    public init<Content: View>(isOn: Bool, action: some SetValueIntent<Bool>, @ViewBuilder label: @escaping () -> Content) { self.init(label: AnyView(label()), value: AnyView(Text(verbatim: isOn ? "on" : "off"))) }
    public init<Content: View, Value: View>(isOn: Bool, action: some SetValueIntent<Bool>, @ViewBuilder label: @escaping () -> Content, @ViewBuilder valueLabel: @escaping (Bool) -> Value) { self.init(label: AnyView(label()), value: AnyView(valueLabel(isOn))) }
    public init<Value: View>(_ title: LocalizedStringResource, isOn: Bool, action: some SetValueIntent<Bool>, @ViewBuilder valueLabel: @escaping (Bool) -> Value) { self.init(label: AnyView(Text(title)), value: AnyView(valueLabel(isOn))) }
    @_disfavoredOverload public init<Value: View>(_ title: some StringProtocol, isOn: Bool, action: some SetValueIntent<Bool>, @ViewBuilder valueLabel: @escaping (Bool) -> Value) { self.init(label: AnyView(Text(title)), value: AnyView(valueLabel(isOn))) }
}
/// How an activity is updated.
@available(iOS 16, *) public struct PushType: Sendable {
    public static var token: PushType { PushType() }
}
@available(iOS 16, *) public enum ActivityState: Codable, Hashable, Sendable {
    case active, pending, stale, ended, dismissed
}
@available(iOS 16, *) public struct ActivityUIDismissalPolicy: Sendable {
    public static let `default` = ActivityUIDismissalPolicy()
    public static let immediate = ActivityUIDismissalPolicy()
    public static func after(_ date: Date) -> ActivityUIDismissalPolicy { ActivityUIDismissalPolicy() }
}
@available(iOS 16, *) public enum ActivityAuthorizationError: Error, Sendable {
    case attributesTooLarge, denied, globalMaximumExceeded, malformedActivityIdentifier, missingProcessIdentifier, persistenceFailure, unentitled, unsupported
}
@available(iOS 16, *) public final class ActivityAuthorizationInfo: Sendable {
    public init() {}
    public var areActivitiesEnabled: Bool { false }
    public var frequentPushesEnabled: Bool { false }
}
/// What a live activity displays that does not change.
@available(iOS 16, *) public protocol ActivityAttributes: Codable {
    associatedtype ContentState: Codable & Hashable
}
@available(iOS 16, *) public struct ActivityConfiguration<Attributes: ActivityAttributes>: WidgetConfiguration {
    public var declarations: [WidgetDeclaration] { [] }
    public init<Content: View>(for attributes: Attributes.Type, @ViewBuilder content: @escaping (ActivityViewContext<Attributes>) -> Content, dynamicIsland: @escaping (ActivityViewContext<Attributes>) -> DynamicIsland) {}
}
/// What a live activity's view is made of.
@available(iOS 16, *) public struct ActivityViewContext<Attributes: ActivityAttributes> {
    public let attributes: Attributes
    public let state: Attributes.ContentState
    public let activityID: String
    public let isStale: Bool
}
/// The view of a live activity around the camera.
@available(iOS 16, *) public struct DynamicIsland {
    public init<Expanded: View, Leading: View, Trailing: View, Minimal: View>(@DynamicIslandExpandedContentBuilder expanded: @escaping () -> DynamicIslandExpandedContent<Expanded>, @ViewBuilder compactLeading: @escaping () -> Leading, @ViewBuilder compactTrailing: @escaping () -> Trailing, @ViewBuilder minimal: @escaping () -> Minimal) {}
    public func widgetURL(_ url: URL?) -> DynamicIsland { self }
    public func keylineTint(_ color: Color?) -> DynamicIsland { self }
    public func contentMargins(_ edges: Edge.Set = .all, _ length: Double, for mode: DynamicIslandMode) -> DynamicIsland { self }
}
@available(iOS 16, *) public struct DynamicIslandMode: Hashable, Sendable {
    public static let expanded = DynamicIslandMode()
    public static let compactLeading = DynamicIslandMode()
    public static let compactTrailing = DynamicIslandMode()
    public static let minimal = DynamicIslandMode()
}
/// A part of the large form.
@available(iOS 16, *) public struct DynamicIslandExpandedRegion {
    public init<Content: View>(_ position: DynamicIslandExpandedRegionPosition, priority: Double = 0, @ViewBuilder content: @escaping () -> Content) {}
}
@available(iOS 16, *) public struct DynamicIslandExpandedRegionPosition: Sendable {
    public static let leading = DynamicIslandExpandedRegionPosition()
    public static let trailing = DynamicIslandExpandedRegionPosition()
    public static let center = DynamicIslandExpandedRegionPosition()
    public static let bottom = DynamicIslandExpandedRegionPosition()
}
/// The parts of the large form.
@available(iOS 16, *) public struct DynamicIslandExpandedContent<Content: View> {}
@available(iOS 16, *) @resultBuilder public struct DynamicIslandExpandedContentBuilder {
    public static func buildExpression(_ region: DynamicIslandExpandedRegion) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    public static func buildExpression(_ content: DynamicIslandExpandedContent<some View>) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    public static func buildBlock(_ contents: DynamicIslandExpandedContent<EmptyView>...) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    public static func buildOptional(_ content: DynamicIslandExpandedContent<EmptyView>?) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    public static func buildEither(first content: DynamicIslandExpandedContent<EmptyView>) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    public static func buildEither(second content: DynamicIslandExpandedContent<EmptyView>) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
    public static func buildLimitedAvailability(_ content: DynamicIslandExpandedContent<EmptyView>) -> DynamicIslandExpandedContent<EmptyView> { DynamicIslandExpandedContent<EmptyView>() }
}
