public import Foundation

/// A value of an app that people choose for a parameter of an `INIntent`.
///
/// Source: <https://developer.apple.com/documentation/sirikit/inobject>.
open class INObject: NSObject, Identifiable {
    /// The id; nil if there is none.
    public let identifier: String?
    /// The text that people see.
    public let displayString: String
    /// The words that are spoken; nil if they are the text.
    public let pronunciationHint: String?
    /// The second line; nil if there is none.
    public var subtitleString: String?
    /// The picture; nil if there is none.
    public var displayImage: INImage?

    /// Makes a value.
    public required init(
        identifier: String?,
        display displayString: String,
        pronunciationHint: String? = nil
    ) {
        self.identifier = identifier
        self.displayString = displayString
        self.pronunciationHint = pronunciationHint
    }

    /// Makes a value with a second line and a picture.
    public convenience init(
        identifier: String?,
        display displayString: String,
        subtitle: String?,
        image: INImage?
    ) {
        self.init(identifier: identifier, display: displayString)
        subtitleString = subtitle
        displayImage = image
    }

    /// The id; the text if there is none.
    public var id: String { identifier ?? displayString }
}

/// A picture of an `INObject`.
public final class INImage: NSObject, Sendable {
    /// The name of the picture.
    public let name: String

    /// A picture of the app.
    public init(named name: String) {
        self.name = name
    }

    /// A symbol of the system.
    public static func systemImageNamed(_ name: String) -> INImage { INImage(named: name) }

    /// A picture of bytes.
    public convenience init(imageData: Data) {
        self.init(named: "")
    }

    /// A picture at an address.
    public convenience init?(url: URL) {
        self.init(named: url.absoluteString)
    }
}

/// Values with a title.
public final class INObjectSection<Object> {
    /// The title; nil if there is none.
    public let title: String?
    /// The values.
    public let items: [Object]

    /// Makes a section.
    public init(title: String?, items: [Object]) {
        self.title = title
        self.items = items
    }
}

/// The values that are offered for a parameter of an `INIntent`.
public final class INObjectCollection<Object> {
    /// All values.
    public let allItems: [Object]
    /// The values in sections.
    public let sections: [INObjectSection<Object>]
    /// Whether the values are listed by their first letters.
    public var usesIndexedCollation = false

    /// Makes a collection of values.
    public init(items: [Object]) {
        allItems = items
        sections = [INObjectSection(title: nil, items: items)]
    }

    /// Makes a collection of sections.
    public init(sections: [INObjectSection<Object>]) {
        allItems = sections.flatMap(\.items)
        self.sections = sections
    }
}

/// The part of an app that answers SiriKit.
open class INExtension: NSObject {
    /// Returns what handles an intent.
    open func handler(for intent: INIntent) -> Any { self }
}

/// What handles the intents of an app.
public protocol INIntentHandlerProviding {
    /// Returns what handles an intent.
    func handler(for intent: INIntent) -> Any?
}

/// The answer to an `INIntent`.
open class INIntentResponse: NSObject {
    /// What the app continues with.
    open var userActivity: NSObject?
}

/// An intent that was performed; it is not recorded here.
open class INInteraction: NSObject {
    /// The intent.
    public let intent: INIntent

    /// Makes an interaction.
    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
    }

    /// Records the interaction.
    public func donate(completion: ((any Error)?) -> Void = { _ in }) {
        completion(nil)
    }
}
