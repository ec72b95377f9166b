/// A direction.
public enum Axis: Int8, CaseIterable, Hashable, Sendable {
    case horizontal
    case vertical

    /// Some directions.
    public struct Set: OptionSet, Sendable {
        /// A bit for each direction.
        public let rawValue: Int8

        /// Makes a set of bits.
        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        /// The horizontal direction.
        public static let horizontal = Set(rawValue: 1)
        /// The vertical direction.
        public static let vertical = Set(rawValue: 2)
    }
}
