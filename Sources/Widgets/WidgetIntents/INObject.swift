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
