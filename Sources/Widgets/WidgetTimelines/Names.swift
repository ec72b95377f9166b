// Made from Sources/Widgets/names/WidgetTimelines.txt by generate.py: change that table.
// swift-format-ignore-file
public import Foundation
public protocol Widget {
    associatedtype Body: WidgetConfiguration
    init()
    var body: Body { get }
}
extension Widget {
    /// One, or those of all widgets of a group.
    public static var declarations: [WidgetDeclaration] { Self().body.declarations }
}
public protocol WidgetBundle {
    associatedtype Body: Widget
    init()
    @WidgetBundleBuilder var body: Body { get }
}
extension WidgetBundle {
    /// Of its widgets, in its order.
    public static var declarations: [WidgetDeclaration] { Self().body.body.declarations }
}
extension WidgetBundleBuilder {
    public static func buildExpression<W: Widget>(_ widget: W) -> WidgetGroup { WidgetGroup(widget.body.declarations) }
    public static func buildExpression(_ group: WidgetGroup) -> WidgetGroup { group }
    public static func buildExpression<Control: ControlWidget>(_ control: Control) -> WidgetGroup { WidgetGroup([control.body.declaration]) }
    public static func buildOptional(_ group: WidgetGroup?) -> WidgetGroup { group ?? WidgetGroup() }
    public static func buildEither(first group: WidgetGroup) -> WidgetGroup { group }
    public static func buildEither(second group: WidgetGroup) -> WidgetGroup { group }
    public static func buildLimitedAvailability(_ group: WidgetGroup) -> WidgetGroup { group }
}
/// Several widgets, in their order.
public struct WidgetGroup: Widget {
    public let body: WidgetDeclarations
    public init() { self.init([]) }
    internal init(_ declarations: [WidgetDeclaration]) { body = WidgetDeclarations(declarations: declarations) }
}
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) public protocol WidgetConfiguration {
    /// One, or those of all widgets of a group.
    var declarations: [WidgetDeclaration] { get }
}
/// With modifiers applied.
public struct WidgetDeclarations: WidgetConfiguration {
    public let declarations: [WidgetDeclaration]
}
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) public protocol TimelineEntry {
    /// From which on the entry is displayed.
    var date: Date { get }
    /// Compared with other widgets in the same stack.
    var relevance: TimelineEntryRelevance? { get }
}
extension TimelineEntry {
    public var relevance: TimelineEntryRelevance? { nil }
}
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) public struct TimelineEntryRelevance: Codable, Hashable, Sendable {
    public var score: Float
    public var duration: TimeInterval
    public init(score: Float, duration: TimeInterval = 0.0) {
        self.score = score
        self.duration = duration
    }
}
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) public struct Timeline<EntryType: TimelineEntry> {
    public let entries: [EntryType]
    public let policy: TimelineReloadPolicy
    public init(entries: [EntryType], policy: TimelineReloadPolicy) {
        self.entries = entries
        self.policy = policy
    }
}
extension Timeline: Sendable where EntryType: Sendable {}
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) public struct TimelineReloadPolicy: Equatable, Sendable {
    package let choice: Choice
    /// After the date of the last entry.
    public static let atEnd = TimelineReloadPolicy(choice: .atEnd)
    /// Only when the app asks for a reload.
    public static let never = TimelineReloadPolicy(choice: .never)
    /// Before or after the end of the timeline.
    public static func after(_ date: Date) -> TimelineReloadPolicy { TimelineReloadPolicy(choice: .after(date)) }
    /// For a `switch`.
    package enum Choice: Equatable, Sendable { case atEnd, never, after(Date) }
}
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) public protocol TimelineProvider<Entry> {
    associatedtype Entry: TimelineEntry
    typealias Context = TimelineProviderContext
    func placeholder(in context: Context) -> Entry
    @preconcurrency func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
    @preconcurrency func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *) func relevance() async -> WidgetRelevance<Void>
}
extension TimelineProvider {
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *) public func relevance() async -> WidgetRelevance<Void> { WidgetRelevance([]) }
}
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) public protocol IntentTimelineProvider<Entry> {
    associatedtype Entry: TimelineEntry
    associatedtype Intent: INIntent
    typealias Context = TimelineProviderContext
    func placeholder(in context: Context) -> Entry
    @preconcurrency func getSnapshot(for configuration: Intent, in context: Context, completion: @escaping @Sendable (Entry) -> Void)
    @preconcurrency func getTimeline(for configuration: Intent, in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
    @available(iOS 16, macOS 13, watchOS 9, visionOS 26, *) func recommendations() -> [IntentRecommendation<Intent>]
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *) func relevance() async -> WidgetRelevance<Intent>
}
extension IntentTimelineProvider {
    @available(iOS 16, macOS 13, watchOS 9, visionOS 26, *) public func recommendations() -> [IntentRecommendation<Intent>] { [] }
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *) public func relevance() async -> WidgetRelevance<Intent> { WidgetRelevance([]) }
}
@available(iOS 17, macOS 14, watchOS 10, visionOS 26, *) public protocol AppIntentTimelineProvider<Entry>: Sendable {
    associatedtype Entry: TimelineEntry
    associatedtype Intent: WidgetConfigurationIntent
    typealias Context = TimelineProviderContext
    func placeholder(in context: Context) -> Entry
    func snapshot(for configuration: Intent, in context: Context) async -> Entry
    func timeline(for configuration: Intent, in context: Context) async -> Timeline<Entry>
    func recommendations() -> [AppIntentRecommendation<Intent>]
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *) func relevance() async -> WidgetRelevance<Intent>
}
extension AppIntentTimelineProvider {
    public func recommendations() -> [AppIntentRecommendation<Intent>] { [] }
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *) public func relevance() async -> WidgetRelevance<Intent> { WidgetRelevance([]) }
}
/// A configuration and the name under which it is offered.
@available(iOS 17, macOS 14, watchOS 10, visionOS 26, *) public struct AppIntentRecommendation<Intent: WidgetConfigurationIntent>: Sendable {
    package let intent: Intent
    package let description: String
    @_disfavoredOverload public init(intent: Intent, description: some StringProtocol) { (self.intent, self.description) = (intent, String(description)) }
    public init(intent: Intent, description: LocalizedStringResource) { (self.intent, self.description) = (intent, String(localized: description)) }
    public init(intent: Intent, description: Text) { (self.intent, self.description) = (intent, description.plain) }
}
@available(iOS 16, macOS 13, watchOS 9, visionOS 26, *) public struct IntentRecommendation<T: INIntent> {
    package let intent: T
    package let description: String
    @_disfavoredOverload public init(intent: T, description: some StringProtocol) { (self.intent, self.description) = (intent, String(description)) }
    public init(intent: T, description: LocalizedStringResource) { (self.intent, self.description) = (intent, String(localized: description)) }
    public init(intent: T, description: Text) { (self.intent, self.description) = (intent, description.plain) }
}
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) public struct TimelineProviderContext: Sendable {
    public let family: WidgetFamily
    /// Whether the entry is for the gallery of widgets.
    public let isPreview: Bool
    /// In points.
    public let displaySize: CGSize
    public var environmentVariants: EnvironmentVariants { EnvironmentVariants() }
    public init(family: WidgetFamily, isPreview: Bool, displaySize: CGSize? = nil) { (self.family, self.isPreview, self.displaySize) = (family, isPreview, displaySize ?? family.displaySize) }
}
/// Only the usual values.
extension TimelineProviderContext {
    @available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) @dynamicMemberLookup public struct EnvironmentVariants: Sendable {
        public subscript<T>(dynamicMember path: WritableKeyPath<EnvironmentValues, T>) -> [T]? { [EnvironmentValues()[keyPath: path]] }
    }
}
/// The device makes one for each call.
@available(iOS 26, macOS 26, watchOS 26, visionOS 26, *) public protocol WidgetPushHandler {
    init()
    /// The token or the widgets have changed.
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo])
}
@available(iOS 26, macOS 26, watchOS 26, visionOS 26, *) public struct WidgetPushInfo: Sendable {
    public let token: Data
    package init(token: Data) { self.token = token }
}
@available(iOS 18, macOS 26, watchOS 26, *) public struct ControlPushInfo: Hashable, Sendable {
    public let token: Data
}
extension View {
    public func widgetURL(_ url: URL?) -> some View { noted("widgetURL", value: NoteValue(url?.absoluteString)) }
    public func widgetAccentable(_ isAccentable: Bool = true) -> some View { noted("widgetAccentable") }
    public func widgetLabel(_ label: LocalizedStringKey) -> some View { noted("widgetLabel") }
    @_disfavoredOverload public func widgetLabel(_ label: some StringProtocol) -> some View { noted("widgetLabel") }
    public func widgetLabel<Content: View>(@ViewBuilder label: () -> Content) -> some View { noted("widgetLabel") }
    public func widgetCurvesContent(_ isCurved: Bool = true) -> some View { noted("widgetCurvesContent") }
    public func controlWidgetActionHint(_ hint: Text) -> some View { noted("controlWidgetActionHint") }
    public func controlWidgetActionHint(_ hint: LocalizedStringResource) -> some View { noted("controlWidgetActionHint") }
    public func controlWidgetStatus(_ status: Text) -> some View { noted("controlWidgetStatus") }
    public func controlWidgetStatus(_ status: LocalizedStringResource) -> some View { noted("controlWidgetStatus") }
    public func activityBackgroundTint(_ color: Color?) -> some View { noted("activityBackgroundTint") }
    public func activitySystemActionForegroundColor(_ color: Color?) -> some View { noted("activitySystemActionForegroundColor") }
    public func dynamicIsland(verticalPlacement: DynamicIslandExpandedRegionVerticalPlacement) -> some View { noted("dynamicIsland") }
}
extension Image {
    public func widgetAccentedRenderingMode(_ mode: WidgetAccentedRenderingMode?) -> some View { noted("widgetAccentedRenderingMode") }
}
extension WidgetConfiguration {
    @_disfavoredOverload public func configurationDisplayName(_ name: some StringProtocol) -> some WidgetConfiguration { changed { $0.displayName = String(name) } }
    public func configurationDisplayName(_ name: LocalizedStringKey) -> some WidgetConfiguration { configurationDisplayName(Text(name)) }
    public func configurationDisplayName(_ name: Text) -> some WidgetConfiguration { changed { $0.displayName = name.plain } }
    @_disfavoredOverload public func configurationDisplayName(_ name: LocalizedStringResource) -> some WidgetConfiguration { changed { $0.displayName = String(localized: name) } }
    @available(iOS 14, macOS 11, watchOS 9, visionOS 26, *) public func supportedFamilies(_ families: [WidgetFamily]) -> some WidgetConfiguration { changed { $0.families = families } }
    @available(iOS 26, macOS 26, watchOS 26, visionOS 26, *) public func pushHandler(_ handler: any WidgetPushHandler.Type) -> some WidgetConfiguration { changed { $0.pushHandler = handler } }
    public func onBackgroundURLSessionEvents(matching identifier: String, _ perform: @escaping (_ identifier: String, _ completion: @escaping () -> Void) -> Void) -> some WidgetConfiguration { onBackgroundURLSessionEvents(matching: { $0 == identifier }, perform) }
    @_disfavoredOverload public func description(_ description: some StringProtocol) -> some WidgetConfiguration { changed { $0.summary = String(description) } }
    public func description(_ description: LocalizedStringKey) -> some WidgetConfiguration { self.description(Text(description)) }
    public func description(_ description: Text) -> some WidgetConfiguration { changed { $0.summary = description.plain } }
    @_disfavoredOverload public func description(_ description: LocalizedStringResource) -> some WidgetConfiguration { changed { $0.summary = String(localized: description) } }
    @available(iOS 15, macOS 12, watchOS 9, visionOS 26, *) public func contentMarginsDisabled() -> some WidgetConfiguration { changed { $0.hasMargins = false } }
    public func containerBackgroundRemovable(_ isRemovable: Bool = true) -> some WidgetConfiguration { self }
    public func disfavoredLocations(_ locations: [WidgetLocation], for families: [WidgetFamily]) -> some WidgetConfiguration { self }
    public func promptsForUserConfiguration() -> some WidgetConfiguration { self }
    public func supportedMountingStyles(_ styles: [WidgetMountingStyle]) -> some WidgetConfiguration { self }
    public func widgetTexture(_ texture: WidgetTexture) -> some WidgetConfiguration { self }
    public func supplementalActivityFamilies(_ families: [ActivityFamily]) -> some WidgetConfiguration { self }
    public func backgroundTask<Input: Sendable, Output: Sendable>(_ task: BackgroundTask<Input, Output>, action: @escaping @Sendable (Input) async -> Output) -> some WidgetConfiguration { self }
    public func associatedKind(_ kind: String?) -> some WidgetConfiguration { self }
}
extension ControlWidgetConfiguration {
    public func displayName(_ name: LocalizedStringResource) -> some ControlWidgetConfiguration { changed { $0.displayName = String(localized: name) } }
    public func description(_ description: LocalizedStringResource) -> some ControlWidgetConfiguration { changed { $0.summary = String(localized: description) } }
    public func promptsForUserConfiguration() -> some ControlWidgetConfiguration { self }
    @available(iOS 18, macOS 26, watchOS 26, *) public func pushHandler(_ handler: any ControlPushHandler.Type) -> some ControlWidgetConfiguration { self }
}
extension ControlWidgetTemplate {
    public func tint(_ color: Color?) -> some ControlWidgetTemplate { AnyControlWidgetTemplate(view: noted("tint", value: NoteValue(color))) }
    public func disabled(_ isDisabled: Bool) -> some ControlWidgetTemplate { self }
}
@available(iOS 18, *) public enum ActivityFamily: Hashable, Sendable {
    case small, medium
}
/// A task in the background.
public struct BackgroundTask<Request, Response>: Sendable {}
extension BackgroundTask where Request == Void, Response == Void {
    public static func urlSession(_ identifier: String) -> BackgroundTask<Void, Void> { BackgroundTask<Void, Void>() }
}
public struct DynamicIslandExpandedRegionVerticalPlacement: Equatable, Sendable {
    internal let name: String
    public static let `default` = DynamicIslandExpandedRegionVerticalPlacement(name: "default")
    public static let belowIfTooWide = DynamicIslandExpandedRegionVerticalPlacement(name: "belowIfTooWide")
}
/// How much a view shows.
public struct LevelOfDetail: Hashable, Sendable {
    internal let name: String
    public static let `default` = LevelOfDetail(name: "default")
    public static let simplified = LevelOfDetail(name: "simplified")
}
@available(iOS 17, *) public struct WidgetLocation: Hashable, Sendable {
    internal let name: String
    public static let homeScreen = WidgetLocation(name: "homeScreen")
    public static let lockScreen = WidgetLocation(name: "lockScreen")
    public static let standBy = WidgetLocation(name: "standBy")
    public static let iPhoneWidgetsOnMac = WidgetLocation(name: "iPhoneWidgetsOnMac")
    @available(iOS 26, *) public static let carPlay = WidgetLocation(name: "carPlay")
}
public struct WidgetMountingStyle: Hashable, Sendable {
    internal let name: String
    public static let elevated = WidgetMountingStyle(name: "elevated")
    public static let recessed = WidgetMountingStyle(name: "recessed")
}
public struct WidgetTexture: Hashable, Sendable {
    internal let name: String
    public static let glass = WidgetTexture(name: "glass")
    public static let paper = WidgetTexture(name: "paper")
}
@available(iOS 16, *) public struct WidgetRenderingMode: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public static let fullColor = WidgetRenderingMode(description: "fullColor")
    public static let accented = WidgetRenderingMode(description: "accented")
    public static let vibrant = WidgetRenderingMode(description: "vibrant")
}
@available(iOS 18, *) public struct WidgetAccentedRenderingMode: Hashable, Sendable {
    internal let name: String
    public static let accented = WidgetAccentedRenderingMode(name: "accented")
    public static let accentedDesaturated = WidgetAccentedRenderingMode(name: "accentedDesaturated")
    public static let desaturated = WidgetAccentedRenderingMode(name: "desaturated")
    public static let fullColor = WidgetAccentedRenderingMode(name: "fullColor")
}
@available(iOS 14, *) public struct WidgetPreviewContext: PreviewContext {
    public init(family: WidgetFamily) {}
}
extension EnvironmentValues {
    public package(set) var widgetFamily: WidgetFamily {
        get { value(\.widgetFamily, or: .systemSmall) }
        set { set(\.widgetFamily, to: newValue) }
    }
    public var showsWidgetLabel: Bool {
        get { value(\.showsWidgetLabel, or: false) }
        set { set(\.showsWidgetLabel, to: newValue) }
    }
    public var levelOfDetail: LevelOfDetail {
        get { value(\.levelOfDetail, or: .default) }
        set { set(\.levelOfDetail, to: newValue) }
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
extension EnvironmentValues {
    public var widgetContentMargins: EdgeInsets { EdgeInsets(top: 16, leading: 16, bottom: 16, trailing: 16) }
    public var isActivityFullscreen: Bool { false }
}
/// The usual background of widgets on a lock screen.
@available(iOS 16, *) public struct AccessoryWidgetBackground: View {
    public init() {}
    public var body: some View { ContainerRelativeShape().fill(.quaternary) }
}
/// Several small widgets beside each other.
public struct AccessoryWidgetGroup: View {
    private let content: AnyView
    public init<Content: View>(_ title: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content) { self.content = AnyView(content()) }
    public var body: some View { content }
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
    associatedtype Configuration: WidgetConfigurationIntent
    associatedtype Entry: RelevanceEntry
    typealias Context = TimelineProviderContext
    func relevance() async -> WidgetRelevance<Configuration>
    func entry(configuration: Configuration, context: Context) async throws -> Entry
    func placeholder(context: Context) -> Entry
}
public protocol RelevanceEntry: Sendable {}
/// When something is relevant.
public struct RelevantContext: Hashable, Sendable {
    public static func date(_ date: Date) -> RelevantContext { RelevantContext() }
    public static func date(from start: Date, to end: Date) -> RelevantContext { RelevantContext() }
    public static func date(_ date: Date, kind: DateKind) -> RelevantContext { RelevantContext() }
    public static func date(interval: DateInterval, kind: DateKind) -> RelevantContext { RelevantContext() }
    public static func date(range: ClosedRange<Date>, kind: DateKind) -> RelevantContext { RelevantContext() }
}
extension RelevantContext {
    public struct DateKind: Hashable, Sendable {
        internal let name: String
        public static let `default` = DateKind(name: "default")
        public static let informational = DateKind(name: "informational")
        public static let scheduled = DateKind(name: "scheduled")
    }
}
@available(iOS 18, *) public struct WidgetRelevance<Configuration>: Sendable {
    public init(_ attributes: [WidgetRelevanceAttribute<Configuration>]) {}
}
@available(iOS 18, *) public struct WidgetRelevanceAttribute<Configuration>: Sendable {
    public init(configuration: Configuration, context: RelevantContext) {}
    public init(configuration: Configuration, group: WidgetRelevanceGroup) {}
    public init(group: WidgetRelevanceGroup) where Configuration == Void {}
    public init(context: RelevantContext) where Configuration == Void {}
}
@available(iOS 18, *) public struct WidgetRelevanceGroup: Sendable {
    public static let automatic = WidgetRelevanceGroup()
    public static let ungrouped = WidgetRelevanceGroup()
    public static func named(_ name: String) -> WidgetRelevanceGroup { WidgetRelevanceGroup() }
}
public protocol ControlWidget {
    associatedtype Body: ControlWidgetConfiguration
    init()
    @ControlWidgetConfigurationBuilder var body: Body { get }
}
public protocol ControlWidgetConfiguration {
    var declaration: WidgetDeclaration { get }
}
/// With modifiers applied.
public struct ControlDeclaration: ControlWidgetConfiguration {
    public let declaration: WidgetDeclaration
}
@available(iOS 18, *) public protocol ControlValueProvider: Sendable {
    associatedtype Value: Sendable
    /// What is displayed where there is no value yet; must return at once.
    var previewValue: Value { get }
    func currentValue() async throws -> Value
}
@available(iOS 18, *) public protocol AppIntentControlValueProvider: Sendable {
    associatedtype Configuration: ControlConfigurationIntent
    associatedtype Value: Sendable
    func previewValue(configuration: Configuration) -> Value
    func currentValue(configuration: Configuration) async throws -> Value
}
/// What a control looks like: a button or a switch.
public protocol ControlWidgetTemplate: View {}
public struct AnyControlWidgetTemplate: ControlWidgetTemplate {
    internal let view: AnyView
    init(view: AnyView) {
        self.view = view
    }
    public init(_ template: some ControlWidgetTemplate) { view = AnyView(template) }
    public var body: some View { view }
}
@available(iOS 18, *) public struct ControlWidgetButton: ControlWidgetTemplate {
    internal let label: AnyView
    init(label: AnyView) {
        self.label = label
    }
    public var body: some View { label }
}
@available(iOS 18, *) public struct ControlWidgetToggle: ControlWidgetTemplate {
    internal let label: AnyView
    internal let isOn: Bool
    internal let value: AnyView
    init(label: AnyView, isOn: Bool, value: AnyView) {
        self.label = label
        self.isOn = isOn
        self.value = value
    }
    public var body: some View { ForEach([label, value]) { $0 }.noted("toggle", value: NoteValue(isOn)) }
}
@available(iOS 18, macOS 26, watchOS 26, *) public final class ControlCenter: Sendable {
    public static let shared = ControlCenter()
    private init() {}
    public func reloadControls(ofKind kind: String) { WidgetCenter.shared.reloadTimelines(ofKind: kind) }
    public func reloadAllControls() { Set(WidgetCenter.shared.controls.map(\.kind)).sorted().forEach(reloadControls(ofKind:)) }
    public func currentControls() async throws -> [ControlInfo] { WidgetCenter.shared.controls }
}
@available(iOS 18, macOS 26, watchOS 26, *) public struct ControlInfo: Identifiable, Hashable, Sendable {
    public let kind: String
    public let id: String
    /// Nil: controls have no tokens here.
    public var pushInfo: ControlPushInfo?
    package init(kind: String, id: String) { (self.kind, self.id) = (kind, id) }
    /// It is not kept.
    public func configurationIntent<Intent: ControlConfigurationIntent>(of type: Intent.Type = Intent.self) -> Intent? { nil }
}
/// Receives the push tokens of an app's controls.
@available(iOS 18, macOS 26, watchOS 26, *) public protocol ControlPushHandler {
    init()
    func pushTokensDidChange(controls: [ControlInfo])
}
@resultBuilder public struct ControlWidgetConfigurationBuilder {
    public static func buildBlock<Content: ControlWidgetConfiguration>(_ content: Content) -> Content { content }
}
@resultBuilder public struct ControlWidgetTemplateBuilder {
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
    public init<Content: View>(isOn: Bool, action: some SetValueIntent<Bool>, @ViewBuilder label: @escaping () -> Content) { self.init(label: AnyView(label()), isOn: isOn, value: AnyView(Text(verbatim: isOn ? "on" : "off"))) }
    public init<Content: View, Value: View>(isOn: Bool, action: some SetValueIntent<Bool>, @ViewBuilder label: @escaping () -> Content, @ViewBuilder valueLabel: @escaping (Bool) -> Value) { self.init(label: AnyView(label()), isOn: isOn, value: AnyView(valueLabel(isOn))) }
    public init<Value: View>(_ title: LocalizedStringResource, isOn: Bool, action: some SetValueIntent<Bool>, @ViewBuilder valueLabel: @escaping (Bool) -> Value) { self.init(label: AnyView(Text(title)), isOn: isOn, value: AnyView(valueLabel(isOn))) }
    @_disfavoredOverload public init<Value: View>(_ title: some StringProtocol, isOn: Bool, action: some SetValueIntent<Bool>, @ViewBuilder valueLabel: @escaping (Bool) -> Value) { self.init(label: AnyView(Text(title)), isOn: isOn, value: AnyView(valueLabel(isOn))) }
}
@available(iOS 16, *) public final class Activity<Attributes: ActivityAttributes>: Identifiable, Sendable {
    public typealias ContentState = Attributes.ContentState
    private init() {}
    public var id: String { fatalError("there are no live activities here") }
    public var attributes: Attributes { fatalError("there are no live activities here") }
    public var content: ActivityContent<Activity<Attributes>.ContentState> { fatalError("there are no live activities here") }
    public static var activities: [Activity<Attributes>] { [] }
    public var activityState: ActivityState { .ended }
    @discardableResult public static func request(attributes: Attributes, content: ActivityContent<Activity<Attributes>.ContentState>, pushType: PushType? = nil) throws -> Activity<Attributes> { throw ActivityAuthorizationError.unsupported }
    public func update(_ content: ActivityContent<Activity<Attributes>.ContentState>) async {}
    public func end(_ content: ActivityContent<Activity<Attributes>.ContentState>?, dismissalPolicy: ActivityUIDismissalPolicy = .default) async {}
}
@available(iOS 16, *) public struct ActivityContent<State: Codable & Hashable> {
    public let state: State
    public let staleDate: Date?
    public let relevanceScore: Double
    public init(state: State, staleDate: Date?, relevanceScore: Double = 0.0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }
}
@available(iOS 16, *) extension ActivityContent: Sendable where State: Sendable {}
/// How an activity is updated.
@available(iOS 16, *) public struct PushType: Sendable {
    public static var token: PushType { PushType() }
}
@available(iOS 16, *) public enum ActivityState: Codable, Hashable, Sendable {
    case active, stale, ended, dismissed
    @available(iOS 26, *) case pending
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
    public init<Expanded: View, CompactLeading: View, CompactTrailing: View, Minimal: View>(@DynamicIslandExpandedContentBuilder expanded: @escaping () -> DynamicIslandExpandedContent<Expanded>, @ViewBuilder compactLeading: @escaping () -> CompactLeading, @ViewBuilder compactTrailing: @escaping () -> CompactTrailing, @ViewBuilder minimal: @escaping () -> Minimal) {}
    public func widgetURL(_ url: URL?) -> DynamicIsland { self }
    public func keylineTint(_ color: Color?) -> DynamicIsland { self }
    public func contentMargins(_ edges: Edge.Set = .all, _ length: Double, for mode: DynamicIslandMode) -> DynamicIsland { self }
}
@available(iOS 16, *) public struct DynamicIslandMode: Hashable, Sendable {
    internal let name: String
    public static let expanded = DynamicIslandMode(name: "expanded")
    public static let compactLeading = DynamicIslandMode(name: "compactLeading")
    public static let compactTrailing = DynamicIslandMode(name: "compactTrailing")
    public static let minimal = DynamicIslandMode(name: "minimal")
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
@resultBuilder public enum TimelineEntriesBuilder {
    public static func buildExpression(_ entry: some TimelineEntry) -> [any TimelineEntry] { [entry] }
    public static func buildExpression(_ entries: [some TimelineEntry]) -> [any TimelineEntry] { entries }
    public static func buildBlock(_ entries: [any TimelineEntry]...) -> [any TimelineEntry] { entries.flatMap { $0 } }
    public static func buildArray(_ entries: [[any TimelineEntry]]) -> [any TimelineEntry] { entries.flatMap { $0 } }
}
@resultBuilder public enum ContentStatesBuilder<State> {
    public static func buildBlock(_ states: State...) -> [State] { states }
}
public enum ActivityPreviewViewKind: Sendable {
    case content
    case dynamicIsland(DynamicIslandPreviewViewState)
}
extension ActivityPreviewViewKind {
    public enum DynamicIslandPreviewViewState: Sendable {
        case compact, expanded, minimal
    }
}
