/// A device of a preview.
public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    /// The device's name.
    public let rawValue: String

    /// Makes a device from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a device from its name.
    public init(stringLiteral name: String) {
        rawValue = name
    }
}
