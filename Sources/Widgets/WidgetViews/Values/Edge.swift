public import Foundation

/// Distances from the four edges.
public struct EdgeInsets: Hashable, Sendable {
    /// The distance from the upper edge.
    public var top: CGFloat
    /// The distance from the left edge.
    public var leading: CGFloat
    /// The distance from the lower edge.
    public var bottom: CGFloat
    /// The distance from the right edge.
    public var trailing: CGFloat

    /// Makes distances.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// No distances.
    public init() {
        self.init(top: 0, leading: 0, bottom: 0, trailing: 0)
    }
}

/// An edge of an area.
public enum Edge: Int8, CaseIterable, Hashable, Sendable {
    case top
    case leading
    case bottom
    case trailing

    /// Some edges.
    public struct Set: OptionSet, Sendable {
        /// A bit for each edge.
        public let rawValue: Int8

        /// Makes a set of bits.
        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        /// A set of one edge.
        public init(_ edge: Edge) {
            rawValue = 1 << edge.rawValue
        }

        /// The upper edge.
        public static let top = Set(.top)
        /// The left edge.
        public static let leading = Set(.leading)
        /// The lower edge.
        public static let bottom = Set(.bottom)
        /// The right edge.
        public static let trailing = Set(.trailing)
        /// The left and the right edge.
        public static let horizontal: Set = [.leading, .trailing]
        /// The upper and the lower edge.
        public static let vertical: Set = [.top, .bottom]
        /// All edges.
        public static let all: Set = [.horizontal, .vertical]
    }
}
