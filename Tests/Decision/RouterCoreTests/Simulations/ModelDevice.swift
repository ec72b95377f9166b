import Basics
import TestSupport

/// What a random test knows of a widget, from what it has sent and seen itself.
struct ModelWidget {
    var kind: Int
    /// One, or several: then each has values of its own.
    var characters: [String]
    /// Whether something other than a date has asked for a reload since the last one.
    var hasCause = false
    /// Whether the last push concerns it: while that is handed out in portions, RELOADs for other
    /// causes go out in between, and the push leads to one of its own when its portion comes.
    var isPushed = false
    /// When the device's own timer was to reload it; from then on nobody knows until a TIMELINE.
    var ownDate: Int64?
    /// Whether it did so for good: a reload must come, however late.
    var isPending = false
    /// Whether the next reload may be one that is not counted or kept apart.
    var mayBeFree = false
    /// The date of its timeline, in ms of wall time.
    var date: Int64?
    /// What it shows, and the newest version of it, by character.
    private var shown: [String: Int] = [:]
    private var versions: [String: Int] = [:]
    var lastReload: UInt64 = 0
    var isUnanswered = false
    var lastSent: Int64?
    /// When it was reloaded and paid for that for sure, in ms of the monotonic clock.
    var paid: [Int64] = []

    init(kind: Int, characters: [String]) {
        self.kind = kind
        self.characters = characters
    }

    mutating func forgetShown() {
        shown = [:]
        versions = [:]
    }

    /// Takes a push for a character; false if it changes nothing that the kind observes.
    mutating func take(
        _ character: String,
        value: Int?,
        version: Int?,
        policy: KindPolicy
    ) -> Bool {
        if policy.newest != nil, let version {
            if let known = versions[character], version < known { return false }
            versions[character] = version
        }
        // A value that RELOAD brings is one for the whole widget.
        let name = policy.inlines.isEmpty ? character : ""
        if policy.observes.isEmpty { return true }
        guard let value else { return false }
        defer { shown[name] = value }
        return shown[name] != value
    }

    /// The widget with another kind or character: what is pending for it stays, its date does not.
    func edited(to widget: ModelWidget) -> ModelWidget {
        if kind == widget.kind && characters == widget.characters { return self }
        var widget = widget
        widget.hasCause = hasCause
        widget.ownDate = ownDate
        widget.isPending = isPending
        widget.mayBeFree = mayBeFree || kind != widget.kind
        widget.isUnanswered = isUnanswered
        widget.lastReload = lastReload
        if kind == widget.kind { widget.paid = paid }
        return widget
    }

    /// Whether the date of its timeline has come.
    func hasDate(by wall: Int64) -> Bool { date.map { $0 <= wall } ?? false }
}

struct ModelDevice {
    var name: String
    var slot: ConnectionSlot?
    var isFull = false
    var isForeground = false
    var hasMedia = false
    var widgets: [String: ModelWidget] = [:]

    var isExempt: Bool { isForeground || hasMedia }
    var names: [String] { widgets.keys.sorted() }
}

/// What the policies that a kind ever had allow at most.
struct ModelBounds {
    var spacing: Int64 = .max
    /// Nil if it was unlimited once.
    var allowance: Int? = 0

    mutating func add(_ policy: KindPolicy) {
        let budget = policy.budget
        spacing = min(spacing, budget.spacing.rawValue)
        guard budget.isLimited, let allowance else {
            allowance = nil
            return
        }
        let most = budget.often * max(100, budget.learningPercent) / 100
        self.allowance = max(allowance, most)
    }
}
