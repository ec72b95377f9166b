/// When widgets of a kind may reload, as the app file declares it. The defaults are WidgetKit's
/// numbers.
package struct KindPolicy: Equatable, Sendable {
    /// How many reloads a widget of the kind may have, and how far apart they must be.
    package var budget = BudgetPolicy.widget
    /// The least time from the arrival of an `atEnd` timeline to its reload. A timeline that ends
    /// sooner, or has ended already, reloads after this time.
    package var atEndFloor = Milliseconds.minutes(5)
    /// How pushes for a widget are collected into one reload; nil to decide on every push at once.
    package var debounce: DebouncePolicy?
    /// How reloads that are due at the same date are spread.
    package var spread = SpreadPolicy()
    /// The name of the origin that devices call when they reload the kind; nil if none is declared.
    package var origin: String?
    /// Whether a significant change of the device's location makes the kind's widgets stale.
    package var usesLocation = false
    /// Whether the kind is a control's, which WidgetKit reloads by itself and not with the widgets.
    package var isControl = false
    /// The observed fields: a push that leaves these top-level fields of the payload as they were
    /// causes no reload. If empty, every push counts as a change.
    package var observes: [String] = []
    /// The inlined values: top-level fields of the payload whose latest values RELOAD contains.
    package var inlines: [String] = []

    /// The top-level field of the payload, a number or a date, that says how new an update is: one
    /// that is older than an earlier one of the same entity changes nothing. Nil if the order of
    /// arrival decides.
    package var newest: String?

    /// The defaults: WidgetKit's numbers, no debouncing, no origin.
    package init() {}

    /// The most fields in `observes` and `inlines` together; a field in both counts once.
    package static var fieldLimit: Int { 16 }
}

/// The debounce window: a series of pushes for a widget leads to one reload, `wait` after the last.
package struct DebouncePolicy: Equatable, Sendable {
    /// The time without a push that ends a series.
    package var wait: Milliseconds
    /// The longest that a series' first push is delayed; not less than `wait`.
    package var longest: Milliseconds

    /// A window of `wait`, which ends at most `longest` after the first push.
    package init(wait: Milliseconds, longest: Milliseconds) {
        self.wait = wait
        self.longest = longest
    }
}

/// How reloads that are due at the same date are spread over time.
package struct SpreadPolicy: Equatable, Sendable {
    /// How the reloads are placed in time.
    package enum Mode: String, CaseIterable, Sendable, BitwiseCopyable {
        /// All at the date itself.
        case none
        /// Each at a random time within the window, like `RandomizedDelaySec` of systemd.
        case uniform
        /// In slots of the origin's ledger: as even as whole seconds allow.
        case ledger
    }

    /// How the reloads are placed within the window.
    package var mode = Mode.ledger
    /// The longest that a reload is delayed after its date, unless its origin is full until then.
    package var window = Milliseconds.minutes(10)

    /// A policy; by default the origin's ledger, and at most ten minutes of delay.
    package init(mode: Mode = .ledger, window: Milliseconds = .minutes(10)) {
        self.mode = mode
        self.window = window
    }
}

/// How many reloads a widget may have in 24 hours, and how far apart they must be.
///
/// The defaults follow Apple's documentation of WidgetKit; see
/// https://developer.apple.com/documentation/widgetkit/keeping-a-widget-up-to-date
package struct BudgetPolicy: Equatable, Sendable, BitwiseCopyable {
    /// If false, reloads are neither counted nor kept apart.
    package var isLimited = true
    /// The most reloads in 24 h of a widget that is never viewed.
    package var seldom = 20
    /// The most reloads in 24 h of a widget that is viewed once a day.
    package var daily = 40
    /// The most reloads in 24 h of a widget that is viewed `oftenViews` times a day or more.
    package var often = 70
    /// The number of views a day from which on a widget has the budget `often`.
    package var oftenViews = 10
    /// The number of days, counted from when a widget is added, during which its budget is larger.
    package var learningDays = 3
    /// The budget during these days, in per cent of the normal one.
    package var learningPercent = 150
    /// The shortest time between two reloads of a widget.
    package var spacing = Milliseconds.minutes(5)
    /// The share of the budget, in per cent, that is kept for urgent pushes and for widgets that
    /// come into view.
    package var urgentPercent = 10

    /// The defaults, which are those of a widget on a home screen.
    package init() {}

    /// The policy of a widget on a home screen.
    package static var widget: BudgetPolicy { BudgetPolicy() }

    /// The policy of a watch complication, which is always in view.
    package static var complication: BudgetPolicy {
        var policy = BudgetPolicy()
        policy.seldom = 75
        policy.daily = 75
        policy.often = 75
        policy.learningPercent = 100
        return policy
    }

    /// The policy of widgets without a budget: every reload is allowed at once.
    package static var unlimited: BudgetPolicy {
        var policy = BudgetPolicy()
        policy.isLimited = false
        policy.spacing = .zero
        return policy
    }

    /// The most reloads in 24 h that a policy may allow, also during `learningDays`.
    package static var limit: Int { 1_000 }
}

/// A server from which widgets load their data when they reload, and the load that it can take.
package struct OriginDeclaration: Equatable, Sendable {
    /// The origin's name, to which kinds refer.
    package var origin: String
    /// The most requests that it can take in a second.
    package var perSecond: Int
    /// The number of reloads with the same date that are not delayed at all.
    package var undelayed: Int

    /// An origin that takes `perSecond` requests in a second.
    package init(origin: String, perSecond: Int, undelayed: Int = 10) {
        self.origin = origin
        self.perSecond = perSecond
        self.undelayed = undelayed
    }
}
