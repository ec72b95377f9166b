public import Foundation

/// An action of an app, with parameters that people choose.
///
/// Source: <https://developer.apple.com/documentation/appintents/appintent>.
@available(iOS 16, *)
public protocol AppIntent: PersistentlyIdentifiable, Sendable {
    associatedtype PerformResult: IntentResult
    associatedtype SummaryContent: ParameterSummary

    /// The title that people see above the parameters.
    static var title: LocalizedStringResource { get }
    /// The description that people see; nil if there is none.
    static var description: IntentDescription? { get }
    /// Whether the app comes to the foreground when the intent is performed.
    static var openAppWhenRun: Bool { get }
    /// Whether people find the intent outside of the app.
    @available(iOS 17, *)
    static var isDiscoverable: Bool { get }
    /// Whether the device must be unlocked.
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    /// The sentence that contains the parameters.
    @ParameterSummaryBuilder<Self> static var parameterSummary: SummaryContent { get }

    /// Makes an intent with the default values of all parameters.
    init()

    /// Does what the intent is for.
    func perform() async throws -> PerformResult
}

extension AppIntent {
    /// The property wrapper `@Parameter`, by which an intent declares a parameter.
    public typealias Parameter = IntentParameter
    /// The property wrapper `@Dependency`, by which an intent gets what its app has registered.
    public typealias Dependency = AppDependency

    /// The type's name.
    public static var title: LocalizedStringResource {
        LocalizedStringResource(stringLiteral: "\(Self.self)")
    }
    /// Nil: there is no description.
    public static var description: IntentDescription? { nil }
    /// False.
    public static var openAppWhenRun: Bool { false }
    /// True.
    public static var isDiscoverable: Bool { true }
    /// Without a condition.
    public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }

    /// Performs the intent as another one calls it.
    @discardableResult
    public func callAsFunction() async throws -> PerformResult {
        try await perform()
    }

    /// Asks the person to confirm; here there is no person, so it is confirmed.
    public func requestConfirmation() async throws {}

    /// Asks the person to confirm; here there is no person, so it is confirmed.
    public func requestConfirmation(result: some IntentResult) async throws {}

    /// Accepts that a person has performed the intent.
    public func donate() async throws {}
}

extension AppIntent where SummaryContent == EmptyParameterSummary {
    /// No summary.
    public static var parameterSummary: EmptyParameterSummary { EmptyParameterSummary() }
}

/// A type whose stored references survive a change of its name.
public protocol PersistentlyIdentifiable {
    /// The name in stored references.
    static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
    /// The type's name.
    public static var persistentIdentifier: String { "\(Self.self)" }
}

/// The configuration that a person has chosen for a widget. Its parameters are declared as
/// `@Parameter`s or as plain stored properties.
///
/// Source: <https://developer.apple.com/documentation/appintents/widgetconfigurationintent>.
@available(iOS 17, *)
public protocol WidgetConfigurationIntent: AppIntent {}

extension WidgetConfigurationIntent {
    /// Does nothing: a configuration is not performed.
    public func perform() async throws -> NoIntentResult { NoIntentResult() }
}

/// The configuration that a person has chosen for a control.
public protocol ControlConfigurationIntent: SystemIntent {}

extension ControlConfigurationIntent {
    /// Does nothing: a configuration is not performed.
    public func perform() async throws -> NoIntentResult { NoIntentResult() }
}

/// An intent that sets a value, such as that of a toggle.
public protocol SetValueIntent<ValueType>: SystemIntent {
    associatedtype ValueType: Sendable
    /// The new value.
    var value: ValueType { get set }
}

/// An intent that opens something in its app.
@available(iOS 16, *)
public protocol OpenIntent: SystemIntent {
    associatedtype Value
    /// What is opened.
    var target: Value { get set }
}

extension OpenIntent {
    /// Opens nothing here.
    public func perform() async throws -> NoIntentResult { NoIntentResult() }
}

/// An intent that opens an address; nothing is opened here.
public struct OpenURLIntent: SystemIntent {
    /// The address; nil if it is not known.
    public let url: URL?

    /// Makes an intent without an address.
    public init() {
        url = nil
    }

    /// Makes an intent that opens an address.
    public init(_ url: URL) {
        self.url = url
    }

    /// Opens nothing.
    public func perform() async throws -> NoIntentResult { NoIntentResult() }
}

/// An intent that reports its progress.
public protocol ProgressReportingIntent: AppIntent {}

extension ProgressReportingIntent {
    /// The progress of the intent.
    public var progress: Progress { Progress(totalUnitCount: 1) }
}
