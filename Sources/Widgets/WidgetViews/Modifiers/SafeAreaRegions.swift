/// Areas that other parts of the system cover.
public struct SafeAreaRegions: OptionSet, Sendable {
    /// A bit for each area.
    public let rawValue: UInt

    /// Makes a set of bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The keyboard.
    public static let keyboard = SafeAreaRegions(rawValue: 1)
    /// The container's edges.
    public static let container = SafeAreaRegions(rawValue: 2)
    /// All areas.
    public static let all = SafeAreaRegions(rawValue: .max)
}
