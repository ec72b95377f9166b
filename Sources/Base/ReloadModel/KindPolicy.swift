/// When a kind's widgets may reload: what the app file says of it, with WidgetKit's numbers as
/// defaults.
package struct KindPolicy: Equatable, Sendable {
    package var budget = BudgetPolicy.widget
    /// An `atEnd` timeline that ends now or in the past is due after this, in ms.
    package var atEndFloor: Int64 = 300_000
    /// Nil: every push is decided on at once.
    package var debounce: DebouncePolicy?
    package var spread = SpreadPolicy()
    /// The name of the origin that the kind's devices call when they reload, if one is declared.
    package var origin: String?
    /// Whether a significant change of the device's location makes the kind's widgets stale.
    package var usesLocation = false
    /// The payload's top-level fields that a reader sees; empty if every push counts as a change.
    package var shows: [String] = []
    /// The payload's top-level fields whose latest values RELOAD brings along.
    package var carries: [String] = []

    package init() {}

    /// Most fields in `shows` and `carries` together, each named once.
    package static var fieldLimit: Int { 16 }
}

/// Waiting for a storm of pushes to end: one reload, `wait` after its last push.
package struct DebouncePolicy: Equatable, Sendable {
    /// In ms.
    package var wait: Int64
    /// The longest that a storm's first push waits, in ms; not below `wait`.
    package var longest: Int64

    package init(wait: Int64, longest: Int64) {
        self.wait = wait
        self.longest = longest
    }
}

/// How the reloads for one date are spread.
package struct SpreadPolicy: Equatable, Sendable {
    package enum Mode: String, CaseIterable, Sendable, BitwiseCopyable {
        /// At the date itself.
        case none
        /// At a random time within the window, as systemd's RandomizedDelaySec.
        case uniform
        /// In the ledger's slots: as flat as whole numbers allow.
        case ledger
    }

    package var mode = Mode.ledger
    /// How long after the date a reload may come, in ms.
    package var window: Int64 = 600_000

    package init(mode: Mode = .ledger, window: Int64 = 600_000) {
        self.mode = mode
        self.window = window
    }
}

/// How many reloads a widget instance has in 24 hours, and how far apart.
///
/// The defaults are what Apple's documentation says of WidgetKit; see
/// https://developer.apple.com/documentation/widgetkit/keeping-a-widget-up-to-date
package struct BudgetPolicy: Equatable, Sendable, BitwiseCopyable {
    /// False: reloads are neither counted nor kept apart.
    package var isLimited = true
    /// Reloads in 24 h of a widget that nobody looks at.
    package var seldom = 20
    /// Reloads in 24 h of a widget that is looked at once a day.
    package var daily = 40
    /// Reloads in 24 h of a widget that is looked at `oftenViews` times a day or more.
    package var often = 70
    package var oftenViews = 10
    /// How long after it was added a widget is given more.
    package var learningDays = 3
    /// What it is given then, in per cent.
    package var learningPercent = 150
    /// Shortest time between two reloads of an instance, in ms.
    package var spacing: Int64 = 300_000
    /// The share of the budget, in per cent, that only urgent pushes may use, and widgets that come
    /// into sight.
    package var urgentPercent = 10

    package init() {}

    /// A widget on a home screen.
    package static var widget: BudgetPolicy { BudgetPolicy() }

    /// A watch complication: it is always in sight.
    package static var complication: BudgetPolicy {
        var policy = BudgetPolicy()
        policy.seldom = 75
        policy.daily = 75
        policy.often = 75
        policy.learningPercent = 100
        return policy
    }

    /// A device that keeps no budget.
    package static var unlimited: BudgetPolicy {
        var policy = BudgetPolicy()
        policy.isLimited = false
        policy.spacing = 0
        return policy
    }

    /// Most reloads in 24 h that a policy may give, learning included.
    package static var limit: Int { 1_000 }
}

/// A server that devices call when they reload.
package struct OriginDeclaration: Equatable, Sendable {
    package var origin: String
    /// Requests that it takes in a second.
    package var perSecond: Int
    /// Devices with the same date that are not delayed at all.
    package var undelayed: Int

    package init(origin: String, perSecond: Int, undelayed: Int = 10) {
        self.origin = origin
        self.perSecond = perSecond
        self.undelayed = undelayed
    }
}
