internal import Foundation
internal import WidgetTimelines

/// How much room a view is offered, in points: nil means as much as it likes.
struct Proposal: Hashable {
    var width: CGFloat?
    var height: CGFloat?

    /// A length that is larger than any screen.
    static let largest: CGFloat = 100_000
    static let ideal = Proposal(width: nil, height: nil)

    init(width: CGFloat?, height: CGFloat?) {
        self.width = width.map { min(Self.largest, max(0, $0)) }
        self.height = height.map { min(Self.largest, max(0, $0)) }
    }

    init(_ size: CGSize) { self.init(width: size.width, height: size.height) }

    subscript(axis: Axis) -> CGFloat? {
        get { axis == .horizontal ? width : height }
        set { if axis == .horizontal { width = newValue } else { height = newValue } }
    }

    /// The proposal with another length along an axis.
    func with(_ length: CGFloat?, axis: Axis) -> Proposal {
        var proposal = self
        proposal[axis] = length.map { max(0, $0) }
        return proposal
    }

    /// The size of what takes all that it is offered.
    func filled(_ usual: CGFloat = 10) -> CGSize {
        CGSize(width: width ?? usual, height: height ?? usual)
    }

    /// The lengths of a room, distributed as stacks do it: the views with the highest priority get
    /// theirs first, and of those the least flexible.
    ///
    /// - Parameters:
    ///   - room: what there is for all; nil if each may be as long as it likes.
    ///   - priorities: the views' priorities.
    ///   - length: how long a view is if it is offered a length.
    /// - Returns: what each view is offered.
    static func shares(
        of room: CGFloat?,
        priorities: [Double],
        length: (Int, CGFloat?) -> CGFloat
    ) -> [CGFloat?] {
        guard let room, room < Self.largest else { return priorities.map { _ in room } }
        let least = priorities.indices.map { length($0, 0) }
        let flexibility = priorities.indices.map { length($0, Self.largest) - least[$0] }
        var offers: [CGFloat?] = priorities.map { _ in 0 }
        var left = room
        var others = priorities.indices.sorted {
            (priorities[$1], flexibility[$0], $0) < (priorities[$0], flexibility[$1], $1)
        }
        while let first = others.first {
            let group = others.prefix { priorities[$0] == priorities[first] }
            others.removeFirst(group.count)
            let reserved = others.reduce(0) { $0 + least[$1] }
            for (position, index) in group.enumerated() {
                let offer = max(0, left - reserved) / CGFloat(group.count - position)
                offers[index] = offer
                left -= length(index, offer)
            }
        }
        return offers
    }
}

extension CGSize {
    subscript(axis: Axis) -> CGFloat {
        get { axis == .horizontal ? width : height }
        set { if axis == .horizontal { width = newValue } else { height = newValue } }
    }
}

extension Axis {
    var other: Axis { self == .horizontal ? .vertical : .horizontal }
}
