// Made from Sources/Widgets/names/WidgetIntents.txt by generate.py: change that table.
// swift-format-ignore-file
public enum IntentAuthenticationPolicy: Hashable, Sendable {
    case alwaysAllowed, requiresAuthentication, requiresLocalDeviceAuthentication
}
/// An intent that the system calls for itself.
public protocol SystemIntent: AppIntent {}
public protocol AudioPlaybackIntent: SystemIntent {}
public protocol AudioStartingIntent: SystemIntent {}
public protocol LiveActivityIntent: SystemIntent {}
public protocol ForegroundContinuableIntent: SystemIntent {}
public protocol DeleteIntent: SystemIntent {}
public protocol SetFocusFilterIntent: SystemIntent {}
public protocol ShowInAppSearchResultsIntent: SystemIntent {}
public protocol PredictableIntent: AppIntent {}
/// An intent that replaces one of SiriKit.
public protocol CustomIntentMigratedAppIntent: AppIntent {
    static var intentClassName: String { get }
}
public protocol IndexedEntity: AppEntity {}
public protocol URLRepresentableEntity: AppEntity {}
/// An entity that exists only as long as an intent needs it.
public protocol TransientAppEntity: DisplayRepresentable, Sendable {
    init()
}
/// Finds entities by their properties.
public protocol EntityPropertyQuery: EntityQuery {}
/// Finds the only entity of a type.
public protocol UniqueIDEntityQuery: EntityQuery {}
public protocol AppIntentsPackage {}
public protocol AppIntentsExtension {
    init()
}
public protocol DisplayRepresentable: TypeDisplayRepresentable, InstanceDisplayRepresentable {}
/// The words for the two values of a parameter.
extension Bool {
    public struct IntentDisplayName: Sendable {
        public init(true: LocalizedStringResource, false: LocalizedStringResource) {}
    }
}
public enum InputConnectionBehavior: Sendable {
    case `default`, never, connectToPreviousIntentResult
}
extension IntentCollectionSize {
    public enum Family: Hashable, Sendable {
        case systemSmall, systemMedium, systemLarge, systemExtraLarge, systemExtraLargePortrait, accessoryCorner, accessoryCircular, accessoryRectangular, accessoryInline
    }
}
public typealias IntentWidgetFamily = IntentCollectionSize.Family
public enum IntentControlStyle: Sendable {
    case field, stepper, slider
}
public enum IntentDateKind: Sendable {
    case date, dateTime, time
}
/// How a parameter that is a text is entered.
public struct IntentInputOptions: Sendable {
    public init(keyboardType: KeyboardType = .default, capitalizationType: CapitalizationType = .sentences, multiline: Bool = false, autocorrect: Bool = true, smartQuotes: Bool = true, smartDashes: Bool = true) {}
}
extension IntentInputOptions {
    public enum CapitalizationType: Sendable {
        case none, words, sentences, allCharacters
    }
}
extension IntentInputOptions {
    public enum KeyboardType: Sendable {
        case `default`, asciiCapable, numbersAndPunctuation, numberPad, decimalPad, emailAddress, phonePad, URL, webSearch
    }
}
extension DisplayRepresentation.Image {
    public enum DisplayStyle: Hashable, Sendable {
        case `default`, circular
    }
}
extension IntentItemSection {
    @resultBuilder public enum ItemsBuilder {
        public static func buildExpression(_ result: Result) -> [IntentItem<Result>] { [IntentItem(result)] }
        public static func buildExpression(_ results: [Result]) -> [IntentItem<Result>] { results.map { IntentItem($0) } }
        public static func buildExpression(_ item: IntentItem<Result>) -> [IntentItem<Result>] { [item] }
        public static func buildBlock(_ items: [IntentItem<Result>]...) -> [IntentItem<Result>] { items.flatMap { $0 } }
        public static func buildArray(_ items: [[IntentItem<Result>]]) -> [IntentItem<Result>] { items.flatMap { $0 } }
        public static func buildOptional(_ items: [IntentItem<Result>]?) -> [IntentItem<Result>] { items ?? [] }
    }
}
extension IntentItemCollection {
    @resultBuilder public enum SectionsBuilder {
        public static func buildExpression(_ section: IntentItemSection<Result>) -> [IntentItemSection<Result>] { [section] }
        public static func buildBlock(_ sections: [IntentItemSection<Result>]...) -> [IntentItemSection<Result>] { sections.flatMap { $0 } }
        public static func buildArray(_ sections: [[IntentItemSection<Result>]]) -> [IntentItemSection<Result>] { sections.flatMap { $0 } }
        public static func buildOptional(_ sections: [IntentItemSection<Result>]?) -> [IntentItemSection<Result>] { sections ?? [] }
        public static func buildEither(first sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] { sections }
        public static func buildEither(second sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] { sections }
    }
}
/// The former name of `IntentItemCollection`.
public typealias ItemCollection = IntentItemCollection
/// The former name of `IntentItemSection`.
public typealias ItemSection = IntentItemSection
extension DateComponentsFormatter {
    public enum UnitsStyle: Int, Sendable {
        case positional, abbreviated, short, full, spellOut, brief
    }
}
extension DateComponentsFormatter {
    public struct ZeroFormattingBehavior: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let `default` = ZeroFormattingBehavior(rawValue: 1)
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 2)
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 4)
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 8)
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
        public static let pad = ZeroFormattingBehavior(rawValue: 65_536)
    }
}
extension RelativeDateTimeFormatter {
    public enum UnitsStyle: Int, Sendable {
        case full, spellOut, short, abbreviated
    }
}
extension RelativeDateTimeFormatter {
    public enum DateTimeStyle: Int, Sendable {
        case numeric, named
    }
}
/// A result with a value.
public protocol ReturnsValue<Value>: IntentResult {}
/// A result with words for the person.
public protocol ProvidesDialog: IntentResult {}
/// A result with a view for the person.
public protocol ShowsSnippetView: IntentResult {}
/// A result with an intent whose result is shown to the person.
public protocol ShowsSnippetIntent: IntentResult {}
/// A result that leads to another intent.
public protocol OpensIntent: IntentResult {}
extension IntentResult where Self == NoIntentResult {
    public static func result() -> NoIntentResult { NoIntentResult() }
    public static func result(dialog: IntentDialog) -> NoIntentResult { NoIntentResult(value: nil, dialog: dialog) }
    public static func result<View>(dialog: IntentDialog, view: View) -> NoIntentResult { NoIntentResult(value: nil, dialog: dialog) }
    public static func result<View>(dialog: IntentDialog, content: () -> View) -> NoIntentResult { NoIntentResult(value: nil, dialog: dialog) }
    public static func result<View>(view: View) -> NoIntentResult { NoIntentResult() }
    public static func result(opensIntent: some AppIntent) -> NoIntentResult { NoIntentResult() }
    public static func result(opensIntent: some AppIntent, dialog: IntentDialog) -> NoIntentResult { NoIntentResult(value: nil, dialog: dialog) }
}
extension IntentResult {
    public static func result<Value: Sendable>(value: Value) -> Self where Self == IntentResultContainer<Value> { IntentResultContainer(value: value, dialog: nil) }
    public static func result<Value: Sendable>(value: Value, dialog: IntentDialog) -> Self where Self == IntentResultContainer<Value> { IntentResultContainer(value: value, dialog: dialog) }
    public static func result<Value: Sendable, View>(value: Value, view: View) -> Self where Self == IntentResultContainer<Value> { IntentResultContainer(value: value, dialog: nil) }
    public static func result<Value: Sendable, View>(value: Value, dialog: IntentDialog, view: View) -> Self where Self == IntentResultContainer<Value> { IntentResultContainer(value: value, dialog: dialog) }
    public static func result<Value: Sendable>(value: Value, opensIntent: some AppIntent) -> Self where Self == IntentResultContainer<Value> { IntentResultContainer(value: value, dialog: nil) }
}
/// An intent that people find with the words of a phrase; it has no effect here.
public struct AppShortcut: Sendable {
    public init<Intent: AppIntent>(intent: Intent, phrases: [AppShortcutPhrase<Intent>], shortTitle: LocalizedStringResource? = nil, systemImageName: String? = nil) {}
}
public struct AppShortcutPhrase<Intent: AppIntent>: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral text: String) {}
    public init(stringInterpolation: StringInterpolation) {}
}
extension AppShortcutPhrase {
    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation(_ token: Token) {}
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {}
    }
}
extension AppShortcutPhrase.StringInterpolation {
    public enum Token: Sendable {
        case applicationName
    }
}
public enum ShortcutTileColor: Sendable {
    case blue, grape, grayBlue, grayBrown, grayGreen, lightBlue, lime, navy, orange, pink, purple, red, tangerine, teal, yellow
}
public protocol AppShortcutsProvider {
    @AppShortcutsBuilder static var appShortcuts: [AppShortcut] { get }
}
extension AppShortcutsProvider {
    public static var shortcutTileColor: ShortcutTileColor { .blue }
    public static func updateAppShortcutParameters() {}
}
@resultBuilder public enum AppShortcutsBuilder {
    public static func buildExpression(_ shortcut: AppShortcut) -> [AppShortcut] { [shortcut] }
    public static func buildExpression(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    public static func buildBlock(_ shortcuts: [AppShortcut]...) -> [AppShortcut] { shortcuts.flatMap { $0 } }
    public static func buildOptional(_ shortcuts: [AppShortcut]?) -> [AppShortcut] { shortcuts ?? [] }
    public static func buildEither(first shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    public static func buildEither(second shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    public static func buildLimitedAvailability(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
}
public protocol ParameterSummary: Sendable {}
/// No sentence.
public struct EmptyParameterSummary: ParameterSummary {}
/// A sentence, and parameters that follow it.
public struct IntentParameterSummary<Intent: AppIntent>: ParameterSummary {
    public init() {}
    public init(_ text: ParameterSummaryString<Intent>, table: String? = nil) {}
    public init(_ text: ParameterSummaryString<Intent>, table: String? = nil, @ParameterKeyPathsBuilder<Intent> _ parameters: () -> [PartialKeyPath<Intent>]) {}
    public init(@ParameterKeyPathsBuilder<Intent> _ parameters: () -> [PartialKeyPath<Intent>]) {}
}
public struct ParameterSummaryString<Intent: AppIntent>: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral text: String) {}
    public init(stringInterpolation: StringInterpolation) {}
}
extension ParameterSummaryString {
    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {}
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, valueSpecifier: String) {}
    }
}
@resultBuilder public enum ParameterKeyPathsBuilder<Intent: AppIntent> {
    public static func buildExpression<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) -> PartialKeyPath<Intent> { parameter }
    public static func buildBlock(_ parameters: PartialKeyPath<Intent>...) -> [PartialKeyPath<Intent>] { parameters }
}
@resultBuilder public enum ParameterSummaryBuilder<Intent: AppIntent> {
    public static func buildBlock<Content: ParameterSummary>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyParameterSummary { EmptyParameterSummary() }
    public static func buildEither(first content: some ParameterSummary) -> EmptyParameterSummary { EmptyParameterSummary() }
    public static func buildEither(second content: some ParameterSummary) -> EmptyParameterSummary { EmptyParameterSummary() }
    public static func buildOptional(_ content: (some ParameterSummary)?) -> EmptyParameterSummary { EmptyParameterSummary() }
}
extension AppIntent {
    public typealias Summary = IntentParameterSummary<Self>
    public typealias When<WhenTrue: ParameterSummary, WhenFalse: ParameterSummary> = ParameterSummaryWhenCondition<Self, WhenTrue, WhenFalse>
    public typealias Switch<Value> = ParameterSummarySwitchCondition<Self, Value>
    public typealias Case<Value> = ParameterSummaryCaseCondition<Self, Value>
    public typealias DefaultCase<Value> = ParameterSummaryDefaultCaseCondition<Self, Value>
}
public enum ComparableParameterSummaryOperator: Sendable {
    case equalTo, notEqualTo, lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo
}
public enum OneOfParameterSummaryOperator: Sendable {
    case oneOf, notOneOf
}
public enum HasValueParameterSummaryOperator: Sendable {
    case hasAnyValue, hasNoValue
}
public struct ParameterSummaryWhenCondition<Intent: AppIntent, WhenTrue: ParameterSummary, WhenFalse: ParameterSummary>: ParameterSummary {
    public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: ComparableParameterSummaryOperator, _ value: Value, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    @_disfavoredOverload public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value?>>, _ comparison: ComparableParameterSummaryOperator, _ value: Value, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: OneOfParameterSummaryOperator, _ values: [Value], @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: HasValueParameterSummaryOperator, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    public init(widgetFamily comparison: ComparableParameterSummaryOperator, _ family: IntentWidgetFamily, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    public init(widgetFamily comparison: OneOfParameterSummaryOperator, _ families: [IntentWidgetFamily], @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
}
extension ParameterSummaryWhenCondition where WhenFalse == EmptyParameterSummary {
    public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: ComparableParameterSummaryOperator, _ value: Value, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue) {}
    public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: HasValueParameterSummaryOperator, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue) {}
}
public struct ParameterSummarySwitchCondition<Intent: AppIntent, Value>: ParameterSummary {
    public init(_ parameter: KeyPath<Intent, IntentParameter<Value>>, @ParameterSummaryCaseBuilder<Intent, Value> _ cases: () -> EmptyParameterSummary) where Value: Sendable {}
    public init(_ family: ParameterSummaryWidgetFamily, @ParameterSummaryCaseBuilder<Intent, Value> _ cases: () -> EmptyParameterSummary) where Value == IntentWidgetFamily {}
}
public enum ParameterSummaryWidgetFamily: Sendable {
    case widgetFamily
}
public struct ParameterSummaryCaseCondition<Intent: AppIntent, Value>: ParameterSummary {
    public init<Content: ParameterSummary>(_ value: Value, @ParameterSummaryBuilder<Intent> _ content: () -> Content) {}
    public init<Content: ParameterSummary>(_ values: [Value], @ParameterSummaryBuilder<Intent> _ content: () -> Content) {}
}
public struct ParameterSummaryDefaultCaseCondition<Intent: AppIntent, Value>: ParameterSummary {
    public init<Content: ParameterSummary>(@ParameterSummaryBuilder<Intent> _ content: () -> Content) {}
}
@resultBuilder public enum ParameterSummaryCaseBuilder<Intent: AppIntent, Value> {
    public static func buildExpression(_ content: ParameterSummaryCaseCondition<Intent, Value>) -> EmptyParameterSummary { EmptyParameterSummary() }
    public static func buildExpression(_ content: ParameterSummaryDefaultCaseCondition<Intent, Value>) -> EmptyParameterSummary { EmptyParameterSummary() }
    public static func buildBlock(_ cases: EmptyParameterSummary...) -> EmptyParameterSummary { EmptyParameterSummary() }
}
