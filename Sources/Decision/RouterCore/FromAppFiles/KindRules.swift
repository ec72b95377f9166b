internal import Basics

/// A kind's policy in the form that decisions read: small, and copied without counting references.
struct KindRules: BitwiseCopyable {
    let budget: BudgetPolicy
    /// The least delay of an `atEnd` timeline's reload; see `KindPolicy.atEndFloor`.
    let atEndFloor: Milliseconds
    /// The time without a push that ends the debounce window; 0 if there is no window.
    let debounceWait: Milliseconds
    /// The longest that a debounced push waits.
    let debounceLongest: Milliseconds
    /// How scheduled reloads are spread.
    private(set) var mode: SpreadPolicy.Mode
    /// The longest that a scheduled reload is delayed after its date.
    private(set) var window: Milliseconds
    /// The number of the origin whose ledger has the kind's slots.
    private(set) var origin: OriginID
    /// Whether immediate reloads need a permit of the origin.
    private(set) var isPaced: Bool
    /// Whether a significant change of the device's location requests reloads.
    let usesLocation: Bool
    /// Whether widgets of the kind are controls; see `KindPolicy.isControl`.
    let isControl: Bool
    /// Whether the kind observes or inlines fields, or names a newest one.
    let hasFields: Bool
    /// Whether RELOAD inlines values of the kind's widgets.
    let inlines: Bool
    /// Whether every push leads to a RELOAD at once, without budget, spacing, debounce window,
    /// permits or fields.
    private(set) var reloadsImmediately: Bool

    /// Whether dates get the same slots under these rules as under `other`.
    func isSpread(like other: KindRules) -> Bool {
        origin == other.origin && mode == other.mode && window == other.window
    }

    /// Whether widgets that follow `former` rules have something to adopt of these.
    func areToBeAdopted(after former: KindRules) -> Bool {
        !isSpread(like: former) || budget != former.budget
    }

    /// These rules, but with dates and reloads spread as under `former`: those of a widget that has
    /// yet to adopt these.
    func spread(like former: KindRules) -> KindRules {
        var rules = self
        rules.mode = former.mode
        rules.window = former.window
        rules.origin = former.origin
        rules.isPaced = former.isPaced
        rules.reloadsImmediately = reloadsImmediately && !former.isPaced
        return rules
    }

    init(_ policy: KindPolicy, origin: OriginID, hasRate: Bool) {
        budget = policy.budget
        atEndFloor = policy.atEndFloor
        debounceWait = policy.debounce?.wait ?? .zero
        debounceLongest = policy.debounce?.longest ?? .zero
        mode = policy.spread.mode
        window = policy.spread.window
        self.origin = origin
        isPaced = hasRate && policy.spread.mode == .ledger
        usesLocation = policy.usesLocation
        isControl = policy.isControl
        inlines = !policy.inlines.isEmpty
        hasFields = inlines || !policy.observes.isEmpty || policy.newest != nil
        reloadsImmediately =
            !budget.isLimited && budget.spacing == .zero && debounceWait == .zero && !isPaced
            && !hasFields
    }
}
