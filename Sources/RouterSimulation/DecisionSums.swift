package import ReloadModel

/// How the router's decisions have ended so far, by its own count.
package struct DecisionSums: Equatable, Sendable {
    /// Causes that the router took, such as a widget's match with a push, or a date that came.
    package var accepted: UInt64 = 0
    /// Of these, those that ended with each reason, by `DecisionReason.rawValue`.
    package var ended: ContiguousArray<UInt64>
    /// Of these, those that still wait for something.
    package var pending: UInt64 = 0

    package init() {
        ended = ContiguousArray(repeating: 0, count: DecisionReason.allCases.count)
    }

    package subscript(reason: DecisionReason) -> UInt64 {
        get { ended[Int(reason.rawValue)] }
        set { ended[Int(reason.rawValue)] = newValue }
    }

    package var endedTotal: UInt64 { ended.reduce(0, +) }
}

/// What has become of the slots of all the origins' ledgers.
package struct SlotSums: Equatable, Sendable {
    package var taken: UInt64 = 0
    package var givenBack: UInt64 = 0
    package var finished: UInt64 = 0
    /// Those that widgets hold.
    package var held: UInt64 = 0

    package init() {}
}
