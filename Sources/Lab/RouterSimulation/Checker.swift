internal import ReloadModel

/// What the rules need to know of a widget: the causes for which it may be reloaded, and its
/// charges.
///
/// All of it follows from what devices and publishers *sent*; the checker shares no state with the
/// router.
struct CheckedWidget: BitwiseCopyable {
    /// No time.
    static var none: UInt32 { .max }

    var device: UInt32
    /// The topic in its configuration.
    var topic: UInt32
    /// The push clock when the widget was last named by a RELOAD, or got its topic.
    var cleared: UInt32
    /// When its timeline asks for a reload, in ms of the run; `none` for never.
    var due = none
    /// When it was last charged, in ms of the run; `none` for never.
    var chargedAt = none
    /// The sequence number of the last RELOAD that named it.
    var reload: UInt32 = 0
    /// Charges in the half hours that are kept.
    var used: UInt16 = 0
    /// The maximum of `used`, also of an earlier widget with the same number.
    var most: UInt16 = 0
    /// The half hour of the last charge.
    var half: UInt16 = 0
    var kind: UInt8
    var flags: UInt8 = 0

    /// Flag: the router has the widget.
    static var exists: UInt8 { 1 }
    /// Flag: `due` is the end of the timeline.
    static var ends: UInt8 { 2 }
    /// Flag: its app has requested a reload.
    static var requested: UInt8 { 4 }
    /// Flag: somebody has looked at it while a cause was open.
    static var seen: UInt8 { 8 }
    /// Flag: the device has moved, and the kind uses the location.
    static var moved: UInt8 { 16 }
    /// Flag: no timeline has answered its last RELOAD.
    static var unanswered: UInt8 { 32 }
    /// Flag: the session is new, and the unanswered RELOAD is to be repeated.
    static var repeats: UInt8 { 64 }
    /// Flag: a cause was open when it was configured anew.
    static var owed: UInt8 { 128 }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
}

/// The causes that may justify a RELOAD for one widget.
struct OpenCauses: OptionSet {
    let rawValue: UInt16

    static let push = OpenCauses(rawValue: 1)
    /// A push that has expired by now.
    static let expired = OpenCauses(rawValue: 2)
    static let after = OpenCauses(rawValue: 4)
    static let atEnd = OpenCauses(rawValue: 8)
    static let request = OpenCauses(rawValue: 16)
    static let visible = OpenCauses(rawValue: 32)
    static let location = OpenCauses(rawValue: 64)
    /// A RELOAD that was not answered: it may be repeated with any cause.
    static let repeated = OpenCauses(rawValue: 128)
    /// A cause that was open before the widget was configured anew: the RELOAD may have any cause.
    static let owed = OpenCauses(rawValue: 256)
}

/// Checks a run against the rules, from the facts alone.
///
/// Its matching is naive, and independent of the router's index: a widget has one topic, and a push
/// names topics. So whether a push concerns a widget is a comparison of two values of the push
/// clock. It uses 32 bytes per widget, and 48 more for the half hours of a day.
struct Checker: ~Copyable {
    /// The pushes that named a topic.
    private struct Topic: BitwiseCopyable {
        /// The push clock at the last push without an expiry, and at the last with one.
        var lasting: UInt32 = 0
        var expiring: UInt32 = 0
        /// When these two pushes came, in ms of the run.
        var lastingAt: Int64 = 0
        var expiringAt: Int64 = 0
        /// When the last push with an expiry expires, in ms of the run.
        var voidAt: Int64 = 0
        /// The number of widgets with the topic, as far as the router knows them.
        var members: UInt32 = 0
    }

    let policies: [KindPolicy]
    var widgets: ContiguousArray<CheckedWidget>
    private var topics: ContiguousArray<Topic>
    /// For each device: 1 if the app is in the foreground, plus 2 if it plays media.
    var free: ContiguousArray<UInt8>
    /// Charges of each widget, in a ring of half hours.
    var halves: ContiguousArray<UInt8>
    /// The push clock: it counts pushes.
    private var clock: UInt32 = 1
    /// The push clock of the last push that is matched in portions. RELOADs are sent in between, so
    /// a widget that was reloaded for another cause may still be matched by this push.
    private var portioned: UInt32 = 0
    private(set) var widgetCount = 0

    /// - Parameters:
    ///   - policies: the policy of each kind.
    ///   - topics: the number of topics.
    ///   - devices: the number of devices.
    ///   - widgets: the highest number of widgets.
    init(policies: [KindPolicy], topics: Int, devices: Int, widgets: Int) {
        self.policies = policies
        let blank = CheckedWidget(device: 0, topic: 0, cleared: 0, kind: 0)
        self.widgets = ContiguousArray(repeating: blank, count: widgets)
        self.topics = ContiguousArray(repeating: Topic(), count: topics)
        free = ContiguousArray(repeating: 0, count: devices)
        halves = ContiguousArray(repeating: 0, count: widgets * Self.halfHours)
    }

    // MARK: - Facts

    /// Records that WIDGETS lists a widget.
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
            // Open causes stay open; only the date belonged to the former content.
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

    /// Records that WIDGETS no longer lists a widget.
    mutating func removed(_ widget: UInt32) {
        let old = widgets[Int(widget)]
        guard old.has(CheckedWidget.exists) else { return }
        topics[Int(old.topic)].members -= 1
        widgets[Int(widget)].flags = 0
        widgetCount -= 1
    }

    /// Begins a push; calls of `pushed` name its topics.
    mutating func beginPush() { clock += 1 }

    /// Records that the last push is matched in portions, between which RELOADs are sent.
    mutating func isPortioned() { portioned = clock }

    /// Records a topic of the push that has begun.
    ///
    /// - Returns: how many widgets it concerns.
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

    /// Records a TIMELINE, whose policy asks for a reload at `due`.
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

    /// Records that the widget's app has requested a reload.
    mutating func requested(_ widget: UInt32) { set(CheckedWidget.requested, true, of: widget) }

    /// Records that somebody looks at a widget: an open cause may now come as `visible`.
    mutating func seen(_ widget: UInt32, at now: Int64) {
        if !causes(widget, at: now).isEmpty { set(CheckedWidget.seen, true, of: widget) }
    }

    /// Records that the device has moved significantly.
    mutating func moved(_ widget: UInt32) {
        if policies[Int(widgets[Int(widget)].kind)].usesLocation {
            set(CheckedWidget.moved, true, of: widget)
        }
    }

    /// Records a new session of a device: its unanswered RELOADs may be repeated.
    mutating func connected(_ range: Range<UInt32>) {
        for widget in range where widgets[Int(widget)].has(CheckedWidget.unanswered) {
            set(CheckedWidget.repeats, true, of: widget)
        }
    }

    /// Records a STATE: whether the app is in the foreground, and whether it plays media.
    mutating func isFree(_ device: UInt32, front: Bool, media: Bool) {
        free[Int(device)] = (front ? 1 : 0) | (media ? 2 : 0)
    }

    /// Records that no push is being matched any more.
    mutating func endPushes() { portioned = 0 }

    private mutating func set(_ flag: UInt8, _ isSet: Bool, of widget: UInt32) {
        let flags = widgets[Int(widget)].flags
        widgets[Int(widget)].flags = isSet ? flags | flag : flags & ~flag
    }

    // MARK: - Rules

    /// The causes that ask for a reload of the widget now.
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
        // A view is never a cause by itself.
        if record.has(CheckedWidget.seen) && !causes.isEmpty { causes.insert(.visible) }
        return causes
    }

    /// When the pushes came that ask for a reload of the widget now: the last without an expiry,
    /// and the last with one.
    func pushTimes(_ widget: UInt32, at now: Int64) -> [Int64] {
        let topic = topics[Int(widgets[Int(widget)].topic)]
        var times: [Int64] = []
        if topic.lasting > widgets[Int(widget)].cleared { times.append(topic.lastingAt) }
        if topic.expiring > widgets[Int(widget)].cleared && topic.voidAt > now {
            times.append(topic.expiringAt)
        }
        return times
    }

    /// Checks and records a RELOAD to a device; `range` are the numbers of its widgets.
    ///
    /// - Returns: how many widgets were charged.
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

    /// The violation if a RELOAD names a widget without an open cause.
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

    /// Checks that the cause in a RELOAD is open for one of the widgets that it names. An expired
    /// push may be the latest of several causes, but is not enough alone.
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
        // A date that has passed but was not the cause stays open until the device answers.
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
