internal import ReloadModel

/// A kind's policy as the decisions read it: plain bits.
struct KindRules: BitwiseCopyable {
    let budget: BudgetPolicy
    /// In ms.
    let atEndFloor: Int64
    /// In ms; 0 if pushes are decided on at once.
    let debounceWait: Int64
    let debounceLongest: Int64
    let mode: SpreadPolicy.Mode
    /// In ms.
    let window: Int64
    /// The origin that the kind's reloads take slots of.
    let origin: UInt32
    /// Whether immediate reloads wait for their turn at the origin.
    let isPaced: Bool
    let usesLocation: Bool
    /// Whether the kind names fields that it shows or carries.
    let hasFields: Bool
    let carries: Bool
    /// Whether a push is a RELOAD, and no more is to be decided.
    let isPlain: Bool

    /// Whether reloads have the same places as under other rules.
    func isSpread(like other: KindRules) -> Bool {
        origin == other.origin && mode == other.mode && window == other.window
    }

    init(_ policy: KindPolicy, origin: UInt32, hasRate: Bool) {
        budget = policy.budget
        atEndFloor = policy.atEndFloor
        debounceWait = policy.debounce?.wait ?? 0
        debounceLongest = policy.debounce?.longest ?? 0
        mode = policy.spread.mode
        window = policy.spread.window
        self.origin = origin
        isPaced = hasRate && policy.spread.mode == .ledger
        usesLocation = policy.usesLocation
        carries = !policy.carries.isEmpty
        hasFields = carries || !policy.shows.isEmpty
        isPlain =
            !budget.isLimited && budget.spacing == 0 && debounceWait == 0 && !isPaced && !hasFields
    }
}
