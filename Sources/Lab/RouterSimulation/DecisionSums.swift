package import ReloadModel

/// The router's own counts of how its decisions have ended. `Checker` checks that they add up.
package struct DecisionSums: Equatable, Sendable {
    /// Causes that the router accepted, such as a widget's match with a push, or a date that came.
    package var accepted: UInt64 = 0
    /// Causes that have ended, by `DecisionReason.rawValue`.
    package var ended: ContiguousArray<UInt64>
    /// Causes that are still waiting, found by looking at every widget; nil if this was not done.
    package var pending: UInt64?

    package init() {
        ended = ContiguousArray(repeating: 0, count: DecisionReason.allCases.count)
    }

    package subscript(reason: DecisionReason) -> UInt64 {
        get { ended[Int(reason.rawValue)] }
        set { ended[Int(reason.rawValue)] = newValue }
    }

    package var endedTotal: UInt64 { ended.reduce(0, +) }

    /// Causes that have not ended. If the router has lost none, as many are waiting.
    package var rest: UInt64 { accepted &- endedTotal }
}

/// What the router reports of one widget's reload.
package struct ReloadAccount: Equatable, Sendable {
    /// True if a reload is waiting.
    package var isPending = false
    /// When a push was found to change nothing, in ms of the run.
    package var unchangedAt: [Int64] = []
    /// The time from which the device's records are complete; older ones were dropped.
    package var since = Int64.min

    package init() {}
}

/// The router's own counts of slots, over the ledgers of all origins.
package struct SlotSums: Equatable, Sendable {
    /// Slots that were assigned.
    package var taken: UInt64 = 0
    /// Slots that were released because their reload was cancelled.
    package var givenBack: UInt64 = 0
    /// Slots whose reload took place; their second stays counted in the ledger.
    package var finished: UInt64 = 0
    /// Slots that widgets have now.
    package var held: UInt64 = 0

    package init() {}
}
