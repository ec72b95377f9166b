/// An intent that people find with the words of a phrase; it has no effect here.
///
/// Source: <https://developer.apple.com/documentation/appintents/appshortcut>.
public struct AppShortcut: Sendable {
    /// Makes a shortcut.
    public init<Intent: AppIntent>(
        intent: Intent,
        phrases: [AppShortcutPhrase<Intent>],
        shortTitle: LocalizedStringResource? = nil,
        systemImageName: String? = nil
    ) {}
}

/// Words with which people start an intent.
public struct AppShortcutPhrase<Intent: AppIntent>: ExpressibleByStringInterpolation, Sendable {
    /// Makes a phrase without parameters.
    public init(stringLiteral text: String) {}

    /// Makes a phrase from its pieces.
    public init(stringInterpolation: StringInterpolation) {}

    /// Collects the pieces of a phrase.
    public struct StringInterpolation: StringInterpolationProtocol {
        /// A word that the system knows.
        public enum Token: Sendable {
            case applicationName
        }

        /// Starts a phrase.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds the text between two interpolations.
        public mutating func appendLiteral(_ literal: String) {}

        /// Adds a word that the system knows.
        public mutating func appendInterpolation(_ token: Token) {}

        /// Adds a parameter.
        public mutating func appendInterpolation<Value>(
            _ parameter: KeyPath<Intent, IntentParameter<Value>>
        ) {}
    }
}

/// The shortcuts of an app.
public protocol AppShortcutsProvider {
    /// The shortcuts.
    @AppShortcutsBuilder static var appShortcuts: [AppShortcut] { get }
}

/// The colour of an app's shortcuts.
public enum ShortcutTileColor: Sendable {
    case blue
    case grape
    case grayBlue
    case grayBrown
    case grayGreen
    case lightBlue
    case lime
    case navy
    case orange
    case pink
    case purple
    case red
    case tangerine
    case teal
    case yellow
}

extension AppShortcutsProvider {
    /// The usual colour.
    public static var shortcutTileColor: ShortcutTileColor { .blue }
    /// Does nothing: there is no list of shortcuts here.
    public static func updateAppShortcutParameters() {}
}

/// Combines the shortcuts of a block.
@resultBuilder
public enum AppShortcutsBuilder {
    /// A shortcut of the block.
    public static func buildExpression(_ shortcut: AppShortcut) -> [AppShortcut] { [shortcut] }
    /// Shortcuts of the block.
    public static func buildExpression(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// The block.
    public static func buildBlock(_ shortcuts: [AppShortcut]...) -> [AppShortcut] {
        shortcuts.flatMap { $0 }
    }
    /// An `if` without an `else`.
    public static func buildOptional(_ shortcuts: [AppShortcut]?) -> [AppShortcut] {
        shortcuts ?? []
    }
    /// An `if` that holds.
    public static func buildEither(first shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// An `else`.
    public static func buildEither(second shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// An `if #available`.
    public static func buildLimitedAvailability(_ shortcuts: [AppShortcut]) -> [AppShortcut] {
        shortcuts
    }
}

/// The intents of a package.
public protocol AppIntentsPackage {}

/// A package whose extension performs intents.
public protocol AppIntentsExtension {
    /// Makes the extension.
    init()
}
