package import Basics

/// The router's own counts of reload requests and how they have ended. `Checker` checks that they
/// add up.
package struct DecisionSums: Equatable, Sendable {
    /// Reload requests that the router accepted, such as a widget's match with a push, or a date
    /// that came.
    package var accepted: UInt64 = 0
    /// Reload requests that have ended, by `DecisionReason.rawValue`.
    package var ended: ContiguousArray<UInt64>
    /// Reload requests that are still waiting, found by looking at every widget; nil if this was
    /// not done.
    package var pending: UInt64?

    /// Creates counts that are all 0, without `pending`.
    package init() {
        ended = ContiguousArray(repeating: 0, count: DecisionReason.allCases.count)
    }

    /// The number of reload requests that have ended for this reason.
    package subscript(reason: DecisionReason) -> UInt64 {
        get { ended[Int(reason.rawValue)] }
        set { ended[Int(reason.rawValue)] = newValue }
    }

    /// The number of reload requests that have ended, for any reason.
    package var endedTotal: UInt64 { ended.reduce(0, +) }

    /// The number of reload requests that have not ended; equals `pending` if the router has lost
    /// none.
    package var rest: UInt64 { accepted &- endedTotal }
}

/// What the router reports of one widget's reload.
package struct ReloadAccount: Equatable, Sendable {
    /// True if a reload is waiting.
    package var isPending = false
    /// When pushes came that changed no observed field, from the start of the run, as far as they
    /// are kept.
    package var unchangedAt: [Milliseconds] = []
    /// From when on the device's decisions are all kept, from the start of the run; older ones
    /// were dropped.
    package var since = Milliseconds.min

    /// Creates an account without a pending reload.
    package init() {}
}

/// The router's own counts of slots, over the ledgers of all origins.
package struct SlotSums: Equatable, Sendable {
    /// All slots that were ever assigned.
    package var assigned: UInt64 = 0
    /// Slots that were released because their reload was cancelled.
    package var released: UInt64 = 0
    /// Slots whose reload took place; their second stays counted in the ledger.
    package var finished: UInt64 = 0
    /// Slots that widgets have now.
    package var current: UInt64 = 0

    /// Creates counts that are all 0.
    package init() {}
}
