internal import Basics

/// Explains why some widgets were not reloaded, or were reloaded at another time.
struct DecisionReasons {
    private var notes: [UInt32: [DecisionStory.Note]] = [:]

    init(_ notes: some Sequence<DecisionStory.Note>) {
        for note in notes { self.notes[note.widget, default: []].append(note) }
    }

    /// Explains why a reload of the other rules does not exist with `rules`: by the router's
    /// decision, if it made one.
    func whyNot(
        _ reload: DecisionStory.Reload,
        rules: String
    ) -> (reason: DecisionReason?, text: String) {
        let note = (notes[reload.widget] ?? []).first { note in
            note.at >= reload.asked && note.at <= reload.at && note.reason != .scheduled
                && note.reason != .done
        }
        guard let note else {
            if reload.cause == .push { return (nil, "no push finds the widget by \(rules)") }
            return (nil, "nothing asks for it by \(rules)")
        }
        return (note.reason, Self.text(note.reason))
    }

    /// Explains why a reload is sent at another time.
    static func whyMoved(
        from old: DecisionStory.Reload,
        to new: DecisionStory.Reload
    ) -> (reason: DecisionReason?, text: String) {
        assert(old.widget == new.widget, "the reloads are of two widgets")
        assert(old.at != new.at, "the reload has not moved")
        if new.at > old.at {
            if new.asked > old.asked { return (new.reason, "what asks first comes later") }
            if new.cause.isDate { return (.spread, "its date has a later slot") }
            return (new.reason, text(new.reason))
        }
        if new.asked < old.asked { return (old.reason, "something earlier asks for it") }
        if new.cause.isDate { return (.spread, "its date has an earlier slot") }
        return (old.reason, "the wait is shorter: " + text(old.reason))
    }

    private static func text(_ reason: DecisionReason) -> String {
        switch reason {
        case .sent: "it is sent at once"
        case .scheduled: "its date has a slot"
        case .unchanged: "the push changes no observed field of the kind"
        case .outdated: "the push is older than another one"
        case .debounced: "waits for the debounce window to end"
        case .spacing: "waits: the widget was reloaded a moment ago"
        case .budget: "waits: the widget's budget is spent"
        case .spread: "waits for a permit at the origin"
        case .coalesced: "another reload covers it"
        case .expired: "expired before it could be sent"
        case .superseded: "a newer timeline has taken its place"
        case .offline: "waits for a session of the device"
        case .loop: "waits: the device asks after every reload"
        case .done: "the device reloaded by itself"
        case .apns: "goes by APNs at once"
        case .grace: "waits: the device may begin a session again"
        case .cap: "waits: the device has had its pushes of the day"
        case .retry: "waits: APNs wants the push repeated later"
        case .removed: "the widget was removed, or shows something else"
        }
    }
}

/// A reload that differs, by its indices in the two stories; nil where it does not exist.
struct ChosenChange {
    var at: WallTime
    var old: UInt32?
    var new: UInt32?
}

/// Keeps the earliest of many changes, up to a limit.
struct EarliestChanges {
    let limit: Int
    private var kept: [ChosenChange] = []

    init(limit: Int) { self.limit = max(0, limit) }

    /// Adds a change; `sorted` has it if it is among the `limit` earliest.
    mutating func offer(_ change: ChosenChange) {
        assert(change.old != nil || change.new != nil, "the reload is in neither story")
        kept.append(change)
        if kept.count > 4 * limit + 64 { kept = sorted }
    }

    /// The earliest changes, in order of time.
    var sorted: [ChosenChange] {
        let all = kept.sorted { left, right in
            (left.at, left.old ?? .max, left.new ?? .max)
                < (right.at, right.old ?? .max, right.new ?? .max)
        }
        return Array(all.prefix(limit))
    }
}
