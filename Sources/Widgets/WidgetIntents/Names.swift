// Made from Sources/Widgets/names/WidgetIntents.txt by generate.py: change that table.
// swift-format-ignore-file
public import Foundation
/// There is no pool of objects here.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
/// An action with parameters.
@available(iOS 16, *) public protocol AppIntent: PersistentlyIdentifiable, Sendable {
    associatedtype PerformResult: IntentResult
    associatedtype SummaryContent: ParameterSummary
    static var title: LocalizedStringResource { get }
    static var description: IntentDescription? { get }
    static var openAppWhenRun: Bool { get }
    @available(iOS 17, *) static var isDiscoverable: Bool { get }
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    @ParameterSummaryBuilder<Self> static var parameterSummary: SummaryContent { get }
    init()
    func perform() async throws -> PerformResult
}
extension AppIntent {
    public typealias Parameter = IntentParameter
    public typealias Dependency = AppDependency
    public static var title: LocalizedStringResource { LocalizedStringResource(stringLiteral: "\(Self.self)") }
    public static var description: IntentDescription? { nil }
    public static var openAppWhenRun: Bool { false }
    public static var isDiscoverable: Bool { true }
    public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }
    public func callAsFunction(donate: Bool = true) async throws -> PerformResult.Value where PerformResult: ReturnsValue { try await perform().value! }
    public func callAsFunction(donate: Bool = true) async throws where PerformResult.Value == Never { _ = try await perform() }
    public func requestConfirmation() async throws {}
    public func requestConfirmation(result: some IntentResult) async throws {}
    public func donate() async throws {}
}
extension AppIntent where SummaryContent == EmptyParameterSummary {
    public static var parameterSummary: EmptyParameterSummary { EmptyParameterSummary() }
}
/// A type whose stored references survive a change of its name.
public protocol PersistentlyIdentifiable {
    static var persistentIdentifier: String { get }
}
extension PersistentlyIdentifiable {
    public static var persistentIdentifier: String { "\(Self.self)" }
}
/// What a person has chosen for a widget.
@available(iOS 17, *) public protocol WidgetConfigurationIntent: AppIntent {}
extension WidgetConfigurationIntent {
    public func perform() async throws -> NoIntentResult { NoIntentResult() }
}
/// What a person has chosen for a control.
public protocol ControlConfigurationIntent: AppIntent {}
extension ControlConfigurationIntent {
    public func perform() async throws -> NoIntentResult { NoIntentResult() }
}
/// An intent that sets a value, such as that of a toggle.
public protocol SetValueIntent<ValueType>: AppIntent {
    associatedtype ValueType: Sendable
    var value: ValueType { get set }
}
/// An intent that opens something in its app.
@available(iOS 16, *) public protocol OpenIntent: SystemIntent {
    associatedtype Value
    var target: Value { get set }
}
extension OpenIntent {
    public func perform() async throws -> NoIntentResult { NoIntentResult() }
}
public struct OpenURLIntent: SystemIntent {
    public let url: URL?
    public init() { url = nil }
    public init(_ url: URL) { self.url = url }
    public func perform() async throws -> NoIntentResult { NoIntentResult() }
}
public protocol ProgressReportingIntent: AppIntent {}
extension ProgressReportingIntent {
    public var progress: Progress { Progress(totalUnitCount: 1) }
}
public enum IntentAuthenticationPolicy: Hashable, Sendable {
    case alwaysAllowed, requiresAuthentication, requiresLocalDeviceAuthentication
}
/// An intent that the system calls for itself.
public protocol SystemIntent: AppIntent {}
public protocol AudioPlaybackIntent: SystemIntent {}
public protocol AudioStartingIntent: SystemIntent {}
public protocol LiveActivityIntent: SystemIntent {}
public protocol ForegroundContinuableIntent: AppIntent {}
public protocol DeleteIntent: SystemIntent {}
public protocol SetFocusFilterIntent: AppIntent, InstanceDisplayRepresentable {}
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
/// An entity that is the only one of its type.
public protocol UniqueAppEntity: AppEntity where DefaultQuery: UniqueAppEntityQuery {}
/// Finds it.
public protocol UniqueAppEntityQuery: EnumerableEntityQuery where Entity: UniqueAppEntity {
    func uniqueEntity() async throws -> Entity
}
extension UniqueAppEntityQuery where Result == [Entity] {
    public func allEntities() async throws -> [Entity] { [try await uniqueEntity()] }
}
public protocol AppIntentsPackage {}
public protocol AppIntentsExtension {
    init()
}
public protocol DisplayRepresentable: TypeDisplayRepresentable, InstanceDisplayRepresentable {}
/// A value of an app that people choose, found by its id.
@available(iOS 16, *) public protocol AppEntity: DisplayRepresentable, PersistentlyIdentifiable, Identifiable, Sendable where ID: EntityIdentifierConvertible & Sendable {
    associatedtype DefaultQuery: EntityQuery where DefaultQuery.Entity == Self
    static var defaultQuery: DefaultQuery { get }
}
extension AppEntity {
    public typealias Property = EntityProperty
}
/// An id that can be written as a text.
public protocol EntityIdentifierConvertible {
    var entityIdentifierString: String { get }
    static func entityIdentifier(for entityIdentifierString: String) -> Self?
}
extension String: EntityIdentifierConvertible {
    public var entityIdentifierString: String { self }
    public static func entityIdentifier(for entityIdentifierString: String) -> String? { entityIdentifierString }
}
extension Int: EntityIdentifierConvertible {
    public var entityIdentifierString: String { String(self) }
    public static func entityIdentifier(for entityIdentifierString: String) -> Int? { Int(entityIdentifierString) }
}
extension UUID: EntityIdentifierConvertible {
    public var entityIdentifierString: String { uuidString }
    public static func entityIdentifier(for entityIdentifierString: String) -> UUID? { UUID(uuidString: entityIdentifierString) }
}
extension EntityIdentifierConvertible where Self: RawRepresentable, RawValue == String {
    public var entityIdentifierString: String { rawValue }
    public static func entityIdentifier(for entityIdentifierString: String) -> Self? { Self(rawValue: entityIdentifierString) }
}
@available(iOS 16, *) public struct EntityIdentifier: Hashable, Sendable {
    public let identifier: String
    public init<Entity: AppEntity>(for entity: Entity) { identifier = entity.id.entityIdentifierString }
    public init<Entity: AppEntity>(for type: Entity.Type, identifier: Entity.ID) { self.identifier = identifier.entityIdentifierString }
}
/// An enum whose cases people choose.
@available(iOS 16, *) public protocol AppEnum: CaseDisplayRepresentable, RawRepresentable, CaseIterable, Sendable where RawValue: LosslessStringConvertible {}
/// Offers values for a parameter.
@available(iOS 16, *) public protocol DynamicOptionsProvider: Sendable {
    associatedtype Result: ResultsCollection
    associatedtype DefaultValue
    func results() async throws -> Result
    func defaultResult() async -> DefaultValue?
}
extension DynamicOptionsProvider {
    public func defaultResult() async -> Result.Item? { nil }
}
/// Finds entities.
@available(iOS 16, *) public protocol EntityQuery: PersistentlyIdentifiable, Sendable {
    associatedtype Entity: AppEntity
    associatedtype Result: ResultsCollection = [Entity]
    init()
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
    func suggestedEntities() async throws -> Result
    func defaultResult() async -> Entity?
}
extension EntityQuery {
    public func results() async throws -> Result { try await suggestedEntities() }
    public func defaultResult() async -> Entity? { nil }
}
extension EntityQuery where Result == [Entity] {
    public func suggestedEntities() async throws -> [Entity] { [] }
}
/// Finds entities by the text that a person types.
@available(iOS 16, *) public protocol EntityStringQuery: EntityQuery {
    func entities(matching string: String) async throws -> Result
}
/// Finds entities among all that there are.
public protocol EnumerableEntityQuery: EntityQuery {
    func allEntities() async throws -> Result
}
extension EnumerableEntityQuery where Result == [Entity] {
    public func entities(for identifiers: [Entity.ID]) async throws -> [Entity] { try await allEntities().filter { identifiers.contains($0.id) } }
    public func suggestedEntities() async throws -> [Entity] { try await allEntities() }
}
/// Of what a parameter declares, its default value and the query of entities have an effect.
extension IntentParameter {
    public convenience init<Wrapped>(title: LocalizedStringResource, description: LocalizedStringResource? = nil, default value: Wrapped? = nil, displayName: Bool.IntentDisplayName? = nil, kind: DateKind? = nil, controlStyle: ControlStyle? = nil, inclusiveRange: (lowerBound: Wrapped, upperBound: Wrapped)? = nil, supportedTypeIdentifiers: [String]? = nil, supportedContentTypes: [Any]? = nil, size: IntentCollectionSize? = nil, inputOptions: String.IntentInputOptions? = nil, requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil, inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider options: (any DynamicOptionsProvider)? = nil, query: (any EntityQuery)? = nil) where Value == Wrapped? { self.init(chosen: .some(value), title: title, query: query) }
    @_disfavoredOverload public convenience init(title: LocalizedStringResource, description: LocalizedStringResource? = nil, default value: Value? = nil, displayName: Bool.IntentDisplayName? = nil, kind: DateKind? = nil, controlStyle: ControlStyle? = nil, inclusiveRange: (lowerBound: Value, upperBound: Value)? = nil, supportedTypeIdentifiers: [String]? = nil, supportedContentTypes: [Any]? = nil, size: IntentCollectionSize? = nil, inputOptions: String.IntentInputOptions? = nil, requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil, inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider options: (any DynamicOptionsProvider)? = nil, query: (any EntityQuery)? = nil) { self.init(chosen: value, title: title, query: query) }
    public convenience init(wrappedValue: Value) { self.init(chosen: wrappedValue) }
    public convenience init(wrappedValue: Value, title: LocalizedStringResource, description: LocalizedStringResource? = nil) { self.init(chosen: wrappedValue, title: title) }
    public convenience init<Wrapped>() where Value == Wrapped? { self.init(chosen: .some(nil)) }
    @_disfavoredOverload public convenience init() { self.init(chosen: nil) }
    public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value { throw needsValueError(dialog) }
    public func requestDisambiguation(among values: [Value], dialog: IntentDialog? = nil) async throws -> Value { throw needsValueError(dialog) }
    public func requestConfirmation(for value: Value, dialog: IntentDialog? = nil) async throws -> Bool { true }
    public func needsValueError(_ dialog: IntentDialog? = nil) -> AppIntentError { AppIntentError(dialog?.full.text ?? "a parameter has no value") }
    public func needsDisambiguationError(among values: [Value], dialog: IntentDialog? = nil) -> AppIntentError { AppIntentError(dialog?.full.text ?? "a parameter has several values") }
}
/// What a person has chosen so far.
@propertyWrapper public struct IntentParameterDependency<Intent: AppIntent>: Sendable {
    /// Nil: no configuration is edited here.
    public var wrappedValue: IntentProjection<Intent>? { nil }
    public init<each Value: Sendable>(_ parameters: repeat KeyPath<Intent, IntentParameter<each Value>>) {}
}
@dynamicMemberLookup public struct IntentProjection<Intent: AppIntent>: Sendable {
    internal let intent: Intent
    init(intent: Intent) {
        self.intent = intent
    }
    @_disfavoredOverload public subscript<Value>(dynamicMember path: KeyPath<Intent, Value>) -> Value { intent[keyPath: path] }
    public subscript<Value>(dynamicMember path: KeyPath<Intent, Value?>) -> Value { intent[keyPath: path]! }
}
/// A file that is a parameter or a result.
public struct IntentFile: Sendable {
    public let data: Data
    public let filename: String
    public let fileURL: URL?
    public init(data: Data, filename: String, type: (any Sendable)? = nil) { (self.data, self.filename, fileURL) = (data, filename, nil) }
    public init(fileURL: URL, filename: String? = nil, type: (any Sendable)? = nil) { (data, self.filename, self.fileURL) = ((try? Data(contentsOf: fileURL)) ?? Data(), filename ?? fileURL.lastPathComponent, fileURL) }
}
/// How many values a parameter may have, or that for each size of the widget; it is not checked here.
public struct IntentCollectionSize: ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral, Sendable {
    public init(integerLiteral value: Int) {}
    public init(exactly count: Int) {}
    public init(min: Int, max: Int) {}
    public init(dictionaryLiteral elements: (IntentWidgetFamily, IntentCollectionSize)...) {}
}
/// The words for the two values of a parameter.
extension Bool {
    public struct IntentDisplayName: Sendable {
        public init(true: LocalizedStringResource, false: LocalizedStringResource) {}
    }
}
public enum InputConnectionBehavior: Sendable {
    case `default`, never, connectToPreviousIntentResult
}
public enum IntentWidgetFamily: Hashable, Sendable {
    case systemSmall, systemMedium, systemLarge, systemExtraLarge, systemExtraLargePortrait, accessoryCorner, accessoryCircular, accessoryRectangular, accessoryInline
}
extension IntentParameter {
    public enum ControlStyle: Sendable {
        case field, stepper, slider
    }
}
extension IntentParameter {
    public enum DateKind: Sendable {
        case date, dateTime, time
    }
}
/// How a parameter that is a text is entered.
extension String {
    public struct IntentInputOptions: Sendable {
        public init(keyboardType: KeyboardType = .asciiCapable, capitalizationType: CapitalizationType = .sentences, multiline: Bool = false, autocorrect: Bool = true, smartQuotes: Bool = true, smartDashes: Bool = true) {}
    }
}
extension String.IntentInputOptions {
    public enum CapitalizationType: Sendable {
        case none, words, sentences, allCharacters
    }
}
extension String.IntentInputOptions {
    public enum KeyboardType: Sendable {
        case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad
    }
}
extension DisplayRepresentation.Image {
    public struct DisplayStyle: Equatable, Sendable {
        internal let name: String
        public static let `default` = DisplayStyle(name: "default")
        public static let circular = DisplayStyle(name: "circular")
    }
}
/// What a provider or a query offers: an array, or sections with titles.
public protocol ResultsCollection {
    associatedtype Item
}
extension Array: ResultsCollection {
    public typealias Item = Element
}
/// A value and how it is displayed; nil if it says so itself.
public struct IntentItem<Result: Sendable>: Sendable {
    package let result: Result
    package let displayRepresentation: DisplayRepresentation?
    public init(_ result: Result) { (self.result, displayRepresentation) = (result, nil) }
    public init(_ result: Result, title: LocalizedStringResource, subtitle: LocalizedStringResource? = nil, image: DisplayRepresentation.Image? = nil) { (self.result, displayRepresentation) = (result, DisplayRepresentation(title: title, subtitle: subtitle, image: image)) }
}
public struct IntentItemSection<Result: Sendable>: Sendable {
    public let title: LocalizedStringResource?
    public var items: [IntentItem<Result>]
    public init(_ title: LocalizedStringResource? = nil, items: [IntentItem<Result>]) {
        self.title = title
        self.items = items
    }
    public init(_ title: LocalizedStringResource? = nil, items: [Result]) { self.init(title, items: items.map { IntentItem($0) }) }
    public init(title: LocalizedStringResource, subtitle: LocalizedStringResource? = nil, image: DisplayRepresentation.Image? = nil, items: [IntentItem<Result>]) { self.init(title, items: items) }
    public init(_ title: LocalizedStringResource? = nil, @ItemsBuilder items: () -> [IntentItem<Result>]) { self.init(title, items: items()) }
}
/// The values that a query offers, in sections.
public struct IntentItemCollection<Result: Sendable>: ResultsCollection {
    public typealias Item = Result
    public var sections: [IntentItemSection<Result>]
    public init(promptLabel: LocalizedStringResource? = nil, items: [Result]) { sections = [IntentItemSection(items: items)] }
    public init(promptLabel: LocalizedStringResource? = nil, usesIndexedCollation: Bool = false, sections: [IntentItemSection<Result>]) { self.sections = sections }
    public init(promptLabel: LocalizedStringResource? = nil, usesIndexedCollation: Bool = false, @SectionsBuilder sections: () -> [IntentItemSection<Result>]) { self.sections = sections() }
    public static var empty: IntentItemCollection<Result> { IntentItemCollection(sections: []) }
    public var items: [Result] { sections.flatMap(\.items).map(\.result) }
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
public struct DisplayRepresentation: ExpressibleByStringInterpolation, Hashable, Sendable {
    public var title: LocalizedStringResource
    public var subtitle: LocalizedStringResource?
    public var image: Image?
    public var synonyms: [LocalizedStringResource]
    public init(title: LocalizedStringResource, subtitle: LocalizedStringResource? = nil, image: Image? = nil, synonyms: [LocalizedStringResource] = []) {
        self.title = title
        self.subtitle = subtitle
        self.image = image
        self.synonyms = synonyms
    }
    public init(stringLiteral title: String) { self.init(title: LocalizedStringResource(stringLiteral: title)) }
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) { self.init(title: LocalizedStringResource(stringInterpolation: stringInterpolation)) }
}
extension DisplayRepresentation {
    public struct Image: Hashable, Sendable {
        /// The name or the address; empty if the picture is data.
        package let name: String
        public init(systemName: String, isTemplate: Bool? = nil) { name = systemName }
        public init(named name: String, isTemplate: Bool? = nil) { self.name = name }
        public init(url: URL, isTemplate: Bool? = nil) { name = url.absoluteString }
        public init(data: Data, isTemplate: Bool? = nil) { name = "" }
        public init(named name: String, isTemplate: Bool? = nil, displayStyle: DisplayStyle) { self.name = name }
        public init(url: URL, isTemplate: Bool? = nil, displayStyle: DisplayStyle) { name = url.absoluteString }
        public init(data: Data, isTemplate: Bool? = nil, displayStyle: DisplayStyle) { name = "" }
    }
}
public struct TypeDisplayRepresentation: ExpressibleByStringInterpolation, Hashable, Sendable {
    public var name: LocalizedStringResource
    public var numericFormat: LocalizedStringResource?
    public var synonyms: [LocalizedStringResource]
    public init(name: LocalizedStringResource, numericFormat: LocalizedStringResource? = nil, synonyms: [LocalizedStringResource] = []) {
        self.name = name
        self.numericFormat = numericFormat
        self.synonyms = synonyms
    }
    public init(stringLiteral name: String) { self.init(name: LocalizedStringResource(stringLiteral: name)) }
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) { self.init(name: LocalizedStringResource(stringInterpolation: stringInterpolation)) }
}
public protocol TypeDisplayRepresentable {
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
    static var typeDisplayName: LocalizedStringResource { get }
}
extension TypeDisplayRepresentable {
    public static var typeDisplayRepresentation: TypeDisplayRepresentation { TypeDisplayRepresentation(stringLiteral: "\(Self.self)") }
    public static var typeDisplayName: LocalizedStringResource { typeDisplayRepresentation.name }
}
public protocol InstanceDisplayRepresentable: CustomLocalizedStringResourceConvertible {
    var displayRepresentation: DisplayRepresentation { get }
}
extension InstanceDisplayRepresentable {
    public var localizedStringResource: LocalizedStringResource { displayRepresentation.title }
}
@available(iOS 16, *) public protocol CaseDisplayRepresentable: DisplayRepresentable, Hashable {
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}
extension CaseDisplayRepresentable {
    public var displayRepresentation: DisplayRepresentation { Self.caseDisplayRepresentations[self] ?? DisplayRepresentation(stringLiteral: "\(self)") }
}
public struct IntentDescription: ExpressibleByStringInterpolation, Hashable, Sendable {
    public var descriptionText: LocalizedStringResource
    public var categoryName: LocalizedStringResource?
    public var searchKeywords: [LocalizedStringResource]
    public init(_ text: LocalizedStringResource, categoryName: LocalizedStringResource? = nil, searchKeywords: [LocalizedStringResource] = []) { (descriptionText, self.categoryName, self.searchKeywords) = (text, categoryName, searchKeywords) }
    public init(_ text: LocalizedStringResource, categoryName: LocalizedStringResource? = nil, searchKeywords: [LocalizedStringResource] = [], resultValueName: LocalizedStringResource?) { self.init(text, categoryName: categoryName, searchKeywords: searchKeywords) }
    public init(stringLiteral text: String) { self.init(LocalizedStringResource(stringLiteral: text)) }
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) { self.init(LocalizedStringResource(stringInterpolation: stringInterpolation)) }
}
/// What the system says about an intent.
public struct IntentDialog: ExpressibleByStringInterpolation, Hashable, Sendable {
    package let full: LocalizedStringResource
    public init(_ text: LocalizedStringResource) { full = text }
    public init(full: LocalizedStringResource, supporting: LocalizedStringResource) { self.full = full }
    public init(full: LocalizedStringResource, supporting: LocalizedStringResource, systemImageName: String) { self.full = full }
    public init(stringLiteral text: String) { full = LocalizedStringResource(stringLiteral: text) }
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) { full = LocalizedStringResource(stringInterpolation: stringInterpolation) }
}
public struct LocalizedStringResource: Hashable, Sendable {
    /// The text itself, if no key is specified.
    public let key: String
    public let defaultValue: String.LocalizationValue
    public let table: String?
    public var locale: Locale
    public let bundle: BundleDescription
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
/// Where a translation would be looked up.
extension LocalizedStringResource {
    public enum BundleDescription: Equatable, Sendable {
        case main
        case forClass(AnyClass)
        case atURL(URL)
        /// A class, which is not `Equatable`, is in it by its name.
        public static func == (left: BundleDescription, right: BundleDescription) -> Bool { "\(left)" == "\(right)" }
    }
}
extension LocalizedStringResource: ExpressibleByStringInterpolation, CustomLocalizedStringResourceConvertible {
    public init(_ key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current, bundle: BundleDescription = .main, comment: StaticString? = nil) { self.init(key: "\(key)", defaultValue: defaultValue, table: table, locale: locale, bundle: bundle) }
    public init(_ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current, bundle: BundleDescription = .main, comment: StaticString? = nil) { self.init(key: keyAndValue.text, defaultValue: keyAndValue, table: table, locale: locale, bundle: bundle) }
    public init(stringLiteral text: String) { self.init(String.LocalizationValue(text)) }
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) { self.init(String.LocalizationValue(stringInterpolation: stringInterpolation)) }
    package var text: String { defaultValue.text }
    public var localizedStringResource: LocalizedStringResource { self }
}
public protocol CustomLocalizedStringResourceConvertible {
    var localizedStringResource: LocalizedStringResource { get }
}
extension String {
    public init(localized resource: LocalizedStringResource) { self = resource.text }
    public init(localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil) { self = keyAndValue.text }
    public init(localized key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil) { self = defaultValue.text }
}
extension String {
    public struct LocalizationValue: ExpressibleByStringInterpolation, Hashable, Sendable {
        package let text: String
        public init(_ text: String) { self.text = text }
        public init(stringLiteral text: String) { self.text = text }
        public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
    }
}
extension String.LocalizationValue {
    public struct StringInterpolation: StringInterpolationProtocol {
        internal var text = ""
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { text += literal }
        public mutating func appendInterpolation(_ value: some Any) { text += "\(value)" }
        public mutating func appendInterpolation(_ resource: LocalizedStringResource) { text += resource.text }
        public mutating func appendInterpolation<Format: FormatStyle>(_ value: Format.FormatInput, format: Format) where Format.FormatOutput == String { text += format.format(value) }
        public mutating func appendInterpolation(_ value: some CVarArg, specifier: String) { text += String(format: specifier, value) }
    }
}
/// What a person has chosen for a widget; a subclass declares the parameters as stored properties.
open class INIntent {
    public init() {}
}
/// One that a fleet's scenario sets, as Linux has no key-value coding.
public protocol ChoosableIntent: INIntent {
    init()
    /// Ignores a value that the parameter cannot have.
    func setValue(_ value: Any, forKey key: String)
}
/// A picture of an `INObject`.
public final class INImage: NSObject, Sendable {
    package let name: String
    public init(named name: String) { self.name = name }
    public static func systemImageNamed(_ name: String) -> Self { Self(named: name) }
    public convenience init(imageData: Data) { self.init(named: "") }
    public convenience init?(url: URL) { self.init(named: url.absoluteString) }
}
public final class INObjectSection<ObjectType> {
    public let title: String?
    public let items: [ObjectType]
    public init(title: String?, items: [ObjectType]) {
        self.title = title
        self.items = items
    }
}
/// The values that are offered for a parameter of an `INIntent`.
public final class INObjectCollection<ObjectType> {
    public let allItems: [ObjectType]
    public let sections: [INObjectSection<ObjectType>]
    public var usesIndexedCollation = false
    public init(items: [ObjectType]) { (allItems, sections) = (items, [INObjectSection(title: nil, items: items)]) }
    public init(sections: [INObjectSection<ObjectType>]) { (allItems, self.sections) = (sections.flatMap(\.items), sections) }
}
/// The part of an app that answers SiriKit.
open class INExtension: NSObject {
    open func handler(for intent: INIntent) -> Any { self }
}
public protocol INIntentHandlerProviding {
    func handler(for intent: INIntent) -> Any?
}
open class INIntentResponse: NSObject {
    open var userActivity: NSObject?
}
/// An intent that was performed; it is not recorded here.
open class INInteraction: NSObject {
    public let intent: INIntent
    public init(intent: INIntent, response: INIntentResponse?) { self.intent = intent }
    public func donate(completion: ((any Error)?) -> Void = { _ in }) { completion(nil) }
}
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
public protocol IntentResult: Sendable {
    associatedtype Value
    var value: Value? { get }
}
public struct IntentResultContainer<Value: Sendable>: ReturnsValue, ProvidesDialog, ShowsSnippetView, ShowsSnippetIntent, OpensIntent {
    public var value: Value?
    public var dialog: IntentDialog?
}
/// The result of an intent that returns nothing.
public typealias NoIntentResult = IntentResultContainer<Never>
extension IntentResultContainer where Value == Never {
    public init() { self.init(value: nil, dialog: nil) }
}
public struct AppIntentError: Error, CustomStringConvertible {
    public let description: String
    internal init(_ description: String) { self.description = description }
    public init(_ text: LocalizedStringResource) { description = text.text }
    public static let restartPerform = AppIntentError("the intent must be performed once more")
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
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {}
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {}
    }
}
public enum AppShortcutPhraseToken: Sendable {
    case applicationName
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
@resultBuilder public struct AppShortcutsBuilder {
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
    public init(_ text: ParameterSummaryString<Intent>, table: String? = nil, @ParameterKeyPathsBuilder _ parameters: () -> [PartialKeyPath<Intent>]) {}
    public init(@ParameterKeyPathsBuilder _ parameters: () -> [PartialKeyPath<Intent>]) {}
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
extension IntentParameterSummary {
    @resultBuilder public struct ParameterKeyPathsBuilder {
        public static func buildExpression<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) -> PartialKeyPath<Intent> { parameter }
        public static func buildBlock(_ parameters: PartialKeyPath<Intent>...) -> [PartialKeyPath<Intent>] { parameters }
    }
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
public enum EquatableComparisonOperator: Sendable {
    case equalTo, notEqualTo
}
public enum ComparableComparisonOperator: Sendable {
    case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo
}
public enum OneOfComparisonOperator: Sendable {
    case oneOf
}
public enum HasValueComparisonOperator: Sendable {
    case hasAnyValue, hasNoValue
}
public struct ParameterSummaryWhenCondition<Intent: AppIntent, WhenTrue: ParameterSummary, WhenFalse: ParameterSummary>: ParameterSummary {
    public init<Value: Equatable>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: EquatableComparisonOperator, _ value: Value, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    public init<Value: Comparable>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: ComparableComparisonOperator, _ value: Value, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    @_disfavoredOverload public init<Value: Equatable>(_ parameter: KeyPath<Intent, IntentParameter<Value?>>, _ comparison: EquatableComparisonOperator, _ value: Value, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    @_disfavoredOverload public init<Value: Comparable>(_ parameter: KeyPath<Intent, IntentParameter<Value?>>, _ comparison: ComparableComparisonOperator, _ value: Value, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: OneOfComparisonOperator, _ values: [Value], @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: HasValueComparisonOperator, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    public init(widgetFamily comparison: EquatableComparisonOperator, _ family: IntentWidgetFamily, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
    public init(widgetFamily comparison: OneOfComparisonOperator, _ families: [IntentWidgetFamily], @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue, @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse) {}
}
extension ParameterSummaryWhenCondition where WhenFalse == EmptyParameterSummary {
    public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: EquatableComparisonOperator, _ value: Value, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue) {}
    public init<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>, _ comparison: HasValueComparisonOperator, @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue) {}
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
