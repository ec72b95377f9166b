/// Why and how a view hides what it displays.
public struct RedactionReasons: OptionSet, Sendable {
    /// A bit for each reason.
    public let rawValue: Int

    /// Makes a set of bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// There are no data yet.
    public static let placeholder = RedactionReasons(rawValue: 1)
    /// The device is locked.
    public static let privacy = RedactionReasons(rawValue: 2)
    /// The data are outdated.
    public static let invalidated = RedactionReasons(rawValue: 4)
}
