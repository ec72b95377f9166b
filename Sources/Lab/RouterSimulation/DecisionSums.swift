package import ReloadModel

/// How the router's decisions have ended so far, by its own count.
package struct DecisionSums: Equatable, Sendable {
    /// Causes that the router took, such as a widget's match with a push, or a date that came.
    package var accepted: UInt64 = 0
    /// Of these, those that ended with each reason, by `DecisionReason.rawValue`.
    package var ended: ContiguousArray<UInt64>
    /// Of these, those that still wait for something, by looking at every widget; nil if nobody has.
    package var pending: UInt64?

    package init() {
        ended = ContiguousArray(repeating: 0, count: DecisionReason.allCases.count)
    }

    package subscript(reason: DecisionReason) -> UInt64 {
        get { ended[Int(reason.rawValue)] }
        set { ended[Int(reason.rawValue)] = newValue }
    }

    package var endedTotal: UInt64 { ended.reduce(0, +) }

    /// Those that have not ended: as many as wait, if the router has lost none.
    package var rest: UInt64 { accepted &- endedTotal }
}

/// What the router says of one widget's reload.
package struct ReloadAccount: Equatable, Sendable {
    /// Whether one waits for something.
    package var isPending = false
    /// When a push was found to change nothing, in ms of the run.
    package var unchangedAt: [Int64] = []
    /// From when on the device's records are whole: older ones have made room for them.
    package var since = Int64.min

    package init() {}
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
