internal import ReloadModel

/// What the rules ask about a widget: why it may be told to reload, and what it was charged.
///
/// Facts come from what devices and publishers *sent*; the checker shares nothing with the router.
struct CheckedWidget: BitwiseCopyable {
    static var none: UInt32 { .max }

    var device: UInt32
    var topic: UInt32
    /// The clock of pushes when the widget was last told to reload, or came to show what it shows.
    var cleared: UInt32
    /// When its timeline asks for a reload, in ms of the run; `none` for never.
    var due = none
    /// When it was last charged, in ms of the run.
    var chargedAt = none
    /// The last RELOAD that named it.
    var reload: UInt32 = 0
    /// Charges in the half hours that are kept.
    var used: UInt16 = 0
    /// The most that `used` has been, of a widget that was there before under this number too.
    var most: UInt16 = 0
    /// The half hour of the last charge.
    var half: UInt16 = 0
    var kind: UInt8
    var flags: UInt8 = 0

    static var exists: UInt8 { 1 }
    /// Flag: `due` is the end of the timeline.
    static var ends: UInt8 { 2 }
    static var requested: UInt8 { 4 }
    static var seen: UInt8 { 8 }
    static var moved: UInt8 { 16 }
    /// Flag: no timeline has answered its last RELOAD.
    static var unanswered: UInt8 { 32 }
    /// Flag: the session is new, and the last RELOAD is to be repeated.
    static var repeats: UInt8 { 64 }
    /// Flag: it was owed a reload when it was configured anew.
    static var owed: UInt8 { 128 }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
}

/// What may be the reason of a RELOAD for one widget.
struct OpenCauses: OptionSet {
    let rawValue: UInt16

    static let push = OpenCauses(rawValue: 1)
    /// A push that is void by now.
    static let expired = OpenCauses(rawValue: 2)
    static let after = OpenCauses(rawValue: 4)
    static let atEnd = OpenCauses(rawValue: 8)
    static let request = OpenCauses(rawValue: 16)
    static let visible = OpenCauses(rawValue: 32)
    static let location = OpenCauses(rawValue: 64)
    /// A RELOAD that was not answered: any cause will do.
    static let repeated = OpenCauses(rawValue: 128)
    /// What was owed to a former configuration: any cause will do.
    static let owed = OpenCauses(rawValue: 256)
}

/// Holds a run to the rules, from facts alone.
///
/// The match is naive and independent of the router's index: a widget shows one topic, and a push
/// names topics; so what a push concerns is a matter of two clocks. 32 bytes a widget, and 48 more
/// for the half hours of a day.
struct Checker: ~Copyable {
    private struct Topic: BitwiseCopyable {
        /// The clock of the last push without an expiry, and of the last with one.
        var lasting: UInt32 = 0
        var expiring: UInt32 = 0
        /// When they came.
        var lastingAt: Int64 = 0
        var expiringAt: Int64 = 0
        /// When the last of the latter is void.
        var voidAt: Int64 = 0
        /// Widgets that show the topic, by what the router was told.
        var members: UInt32 = 0
    }

    let policies: [KindPolicy]
    var widgets: ContiguousArray<CheckedWidget>
    private var topics: ContiguousArray<Topic>
    /// By device, whether the app is in front (1), whether it plays (2).
    var free: ContiguousArray<UInt8>
    /// Charges by widget and half hour, a ring.
    var halves: ContiguousArray<UInt8>
    /// Counts pushes.
    private var clock: UInt32 = 1
    /// The clock of the last push that is matched in portions, between which RELOADs go out: a
    /// widget that was told for another reason may be found by it afterwards.
    private var portioned: UInt32 = 0
    private(set) var widgetCount = 0

    /// - Parameters:
    ///   - policies: by kind.
    ///   - topics: how many there are.
    ///   - devices: how many there are.
    ///   - widgets: how many there may be.
    init(policies: [KindPolicy], topics: Int, devices: Int, widgets: Int) {
        self.policies = policies
        let blank = CheckedWidget(device: 0, topic: 0, cleared: 0, kind: 0)
        self.widgets = ContiguousArray(repeating: blank, count: widgets)
        self.topics = ContiguousArray(repeating: Topic(), count: topics)
        free = ContiguousArray(repeating: 0, count: devices)
        halves = ContiguousArray(repeating: 0, count: widgets * Self.halfHours)
    }

    // MARK: - Facts

    /// WIDGETS lists the widget.
    mutating func placed(
        _ widget: UInt32,
        device: UInt32,
        kind: UInt8,
        topic: UInt32,
        at now: Int64
    ) {
        let old = widgets[Int(widget)]
        if old.has(CheckedWidget.exists) && old.topic == topic { return }
        if old.has(CheckedWidget.exists) {
            topics[Int(old.topic)].members -= 1
            // What it was owed is still owed; only its date was about what it showed before.
            if !causes(widget, at: now).isEmpty {
                widgets[Int(widget)].flags |= CheckedWidget.owed
            }
            widgets[Int(widget)].due = CheckedWidget.none
        } else {
            widgets[Int(widget)] = CheckedWidget(device: device, topic: 0, cleared: 0, kind: kind)
            widgets[Int(widget)].most = old.most
            forgetCharges(widget)
            widgets[Int(widget)].flags = CheckedWidget.exists
            widgetCount += 1
        }
        widgets[Int(widget)].topic = topic
        widgets[Int(widget)].cleared = clock
        topics[Int(topic)].members += 1
    }

    /// WIDGETS no longer lists the widget.
    mutating func removed(_ widget: UInt32) {
        let old = widgets[Int(widget)]
        guard old.has(CheckedWidget.exists) else { return }
        topics[Int(old.topic)].members -= 1
        widgets[Int(widget)].flags = 0
        widgetCount -= 1
    }

    /// A push follows, which `pushed` says the topics of.
    mutating func beginPush() { clock += 1 }

    /// The last push has not been compared with all widgets yet, and RELOADs go out.
    mutating func isPortioned() { portioned = clock }

    /// The push that has begun names a topic.
    ///
    /// - Returns: how many widgets that concerns.
    mutating func pushed(_ topic: UInt32, voidAt: Int64?, at now: Int64) -> UInt32 {
        if let voidAt {
            if voidAt <= now { return 0 }
            let last = topics[Int(topic)].voidAt
            topics[Int(topic)].expiring = clock
            topics[Int(topic)].expiringAt = now
            topics[Int(topic)].voidAt = max(last, voidAt)
        } else {
            topics[Int(topic)].lasting = clock
            topics[Int(topic)].lastingAt = now
        }
        return topics[Int(topic)].members
    }

    /// TIMELINE: the widget's policy asks for a reload at `due`.
    mutating func showed(_ widget: UInt32, due: Int64?, isEnd: Bool, reload: UInt32, at now: Int64)
    {
        guard widgets[Int(widget)].has(CheckedWidget.exists) else { return }
        var date = due
        if isEnd, let end = due {
            let floor = now + policies[Int(widgets[Int(widget)].kind)].atEndFloor
            date = max(end, floor)
        }
        widgets[Int(widget)].due = date.map { UInt32(clamping: $0) } ?? CheckedWidget.none
        set(CheckedWidget.ends, isEnd, of: widget)
        if reload != 0 && reload == widgets[Int(widget)].reload {
            set(CheckedWidget.unanswered, false, of: widget)
        }
    }

    mutating func requested(_ widget: UInt32) { set(CheckedWidget.requested, true, of: widget) }

    /// Somebody looks at the widget: what it waits for then may come for that.
    mutating func seen(_ widget: UInt32, at now: Int64) {
        if !causes(widget, at: now).isEmpty { set(CheckedWidget.seen, true, of: widget) }
    }

    mutating func moved(_ widget: UInt32) {
        if policies[Int(widgets[Int(widget)].kind)].usesLocation {
            set(CheckedWidget.moved, true, of: widget)
        }
    }

    /// The device has a new session: what it did not answer is repeated.
    mutating func connected(_ range: Range<UInt32>) {
        for widget in range where widgets[Int(widget)].has(CheckedWidget.unanswered) {
            set(CheckedWidget.repeats, true, of: widget)
        }
    }

    /// STATE: whether the app is in front, and whether it plays.
    mutating func isFree(_ device: UInt32, front: Bool, media: Bool) {
        free[Int(device)] = (front ? 1 : 0) | (media ? 2 : 0)
    }

    /// Nothing is being matched any more.
    mutating func endPushes() { portioned = 0 }

    private mutating func set(_ flag: UInt8, _ isSet: Bool, of widget: UInt32) {
        let flags = widgets[Int(widget)].flags
        widgets[Int(widget)].flags = isSet ? flags | flag : flags & ~flag
    }

    // MARK: - Rules

    /// What asks for a reload of the widget now.
    func causes(_ widget: UInt32, at now: Int64) -> OpenCauses {
        let record = widgets[Int(widget)]
        let topic = topics[Int(record.topic)]
        var causes: OpenCauses = []
        let again = portioned == clock && record.cleared == clock
        let cleared = again ? clock - 1 : record.cleared
        if topic.lasting > cleared { causes.insert(.push) }
        if topic.expiring > cleared {
            causes.insert(topic.voidAt > now ? .push : .expired)
        }
        if Int64(record.due) <= now {
            causes.insert(record.has(CheckedWidget.ends) ? .atEnd : .after)
        }
        if record.has(CheckedWidget.requested) { causes.insert(.request) }
        if record.has(CheckedWidget.moved) { causes.insert(.location) }
        if record.has(CheckedWidget.repeats) { causes.insert(.repeated) }
        if record.has(CheckedWidget.owed) { causes.insert(.owed) }
        // A look is never a cause alone.
        if record.has(CheckedWidget.seen) && !causes.isEmpty { causes.insert(.visible) }
        return causes
    }

    /// When the pushes came that ask for a reload of the widget now: the last one of each sort.
    func pushTimes(_ widget: UInt32, at now: Int64) -> [Int64] {
        let topic = topics[Int(widgets[Int(widget)].topic)]
        var times: [Int64] = []
        if topic.lasting > widgets[Int(widget)].cleared { times.append(topic.lastingAt) }
        if topic.expiring > widgets[Int(widget)].cleared && topic.voidAt > now {
            times.append(topic.expiringAt)
        }
        return times
    }

    /// A device was sent a RELOAD; `first` is the number of its first widget.
    ///
    /// - Returns: how many instances were charged.
    mutating func reloaded(
        _ reload: borrowing SimulatedReload,
        widgets range: Range<UInt32>,
        at now: Int64
    ) throws(Violation) -> Int {
        var all: OpenCauses = []
        var kinds: UInt8 = 0
        for number in reload.named {
            let widget = range.lowerBound + number
            try judgeName(reload, widget, range)
            kinds |= 1 << widgets[Int(widget)].kind
            let open = causes(widget, at: now)
            if open.isEmpty { throw unasked(reload, widget, now) }
            all.formUnion(open)
        }
        if reload.kinds != kinds {
            throw Violation(
                "matches",
                "is sent a RELOAD of other kinds than those of the widgets that it names",
                device: reload.device
            )
        }
        try judgeCause(reload, all)
        let charged = try charge(reload, all, range, now)
        for number in reload.named { clear(range.lowerBound + number, reload, now) }
        return charged
    }

    private func judgeName(
        _ reload: borrowing SimulatedReload,
        _ widget: UInt32,
        _ range: Range<UInt32>
    ) throws(Violation) {
        let isOwn = range.contains(widget) && widgets[Int(widget)].has(CheckedWidget.exists)
        if !isOwn {
            throw Violation("matches", "a widget that the device has not", device: reload.device)
        }
    }

    /// A widget is named that nothing asks a reload of.
    private func unasked(
        _ reload: borrowing SimulatedReload,
        _ widget: UInt32,
        _ now: Int64
    ) -> Violation {
        let due = widgets[Int(widget)].due
        let isDated = reload.cause == .after || reload.cause == .atEnd
        if isDated && due != CheckedWidget.none {
            return violation(
                "dates",
                widget,
                "is told to reload \(Int64(due) - now) ms before its date"
            )
        }
        return violation(
            "matches",
            widget,
            "is told to reload (\(reload.cause.rawValue)) and nothing asks for it"
        )
    }

    /// The cause that a RELOAD gives must be one of a widget that it names; a void push may be the
    /// latest of them, and is not enough alone.
    private func judgeCause(
        _ reload: borrowing SimulatedReload,
        _ all: OpenCauses
    ) throws(Violation) {
        let wanted: OpenCauses
        switch reload.cause {
        case .push: wanted = [.push, .expired]
        case .after: wanted = .after
        case .atEnd: wanted = .atEnd
        case .request: wanted = .request
        case .visible: wanted = .visible
        case .location: wanted = .location
        case .budget, .download: return
        }
        if !all.isDisjoint(with: [.repeated, .owed]) { return }
        if all == .expired {
            throw Violation("matches", "is told of a push that is void", device: reload.device)
        }
        if !all.isDisjoint(with: wanted) { return }
        throw Violation(
            "matches",
            "is sent a RELOAD whose cause, \(reload.cause.rawValue), none of its widgets has",
            device: reload.device
        )
    }

    private mutating func clear(
        _ widget: UInt32,
        _ reload: borrowing SimulatedReload,
        _ now: Int64
    ) {
        widgets[Int(widget)].cleared = clock
        widgets[Int(widget)].reload = UInt32(truncatingIfNeeded: reload.seq)
        let isDated = reload.cause == .after || reload.cause == .atEnd
        // A date that has passed goes on until the device answers, if it was not the cause.
        if isDated && Int64(widgets[Int(widget)].due) <= now {
            widgets[Int(widget)].due = CheckedWidget.none
        }
        let kept = CheckedWidget.exists | CheckedWidget.ends
        widgets[Int(widget)].flags &= kept
        widgets[Int(widget)].flags |= CheckedWidget.unanswered
    }

    func violation(_ rule: String, _ widget: UInt32, _ text: String) -> Violation {
        Violation(rule, text, device: widgets[Int(widget)].device, widget: widget)
    }
}
