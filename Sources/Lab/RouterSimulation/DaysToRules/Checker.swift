internal import Basics

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
    /// A RELOAD that was not answered: it may be sent again, and state any cause.
    static let repeated = OpenCauses(rawValue: 128)
    /// A cause that was open when the widget was configured anew: its RELOAD may state any cause.
    static let inherited = OpenCauses(rawValue: 256)
}

/// Checks a run against the rules, from what was sent alone.
///
/// The checker's matching is simple, and independent of the router's index: a widget has one topic,
/// and a push names topics. The checker counts pushes (the *push clock*), and keeps for each topic
/// the count at its last push, and for each widget the count at its last RELOAD: a push asks for a
/// reload if its count is the higher one.
struct Checker: ~Copyable {
    /// The last pushes that named a topic.
    private struct Topic: BitwiseCopyable {
        /// The push clock at the last push without an expiry, and at the last with one.
        var lasting: UInt32 = 0
        var expiring: UInt32 = 0
        /// When these two pushes came, from the start of the run.
        var lastingAt = Milliseconds.zero
        var expiringAt = Milliseconds.zero
        /// When the last push with an expiry expires, from the start of the run.
        var expiresAt = Milliseconds.zero
        /// The number of widgets with the topic, as far as the router knows them.
        var members: UInt32 = 0
    }

    let policies: [KindPolicy]
    var widgets: ContiguousArray<CheckedWidget>
    private var topics: ContiguousArray<Topic>
    /// For each device, whether its reloads are free: 1 if the app is in the foreground, plus 2 if
    /// it plays media.
    var free: ContiguousArray<UInt8>
    /// The push clock: the number of pushes so far, plus 1.
    private var clock: UInt32 = 1
    /// The push clock of the last push that is matched in portions; 0 if none is being matched.
    /// RELOADs are sent in between, so a widget that was reloaded for another cause may still be
    /// matched by this push.
    private var portioned: UInt32 = 0
    private(set) var widgetCount = 0

    /// Makes the checker of a run, with the policy of each kind and the most widgets.
    init(policies: [KindPolicy], topics: Int, devices: Int, widgets: Int) {
        assert(policies.count <= UInt8.bitWidth, "a RELOAD's kinds are the bits of a byte")
        self.policies = policies
        let blank = CheckedWidget(device: 0, topic: 0, cleared: 0, kind: 0)
        self.widgets = ContiguousArray(repeating: blank, count: widgets)
        self.topics = ContiguousArray(repeating: Topic(), count: topics)
        free = ContiguousArray(repeating: 0, count: devices)
    }

    // MARK: - Facts

    /// Records that WIDGETS lists a widget.
    mutating func placed(
        _ widget: UInt32,
        device: UInt32,
        kind: UInt8,
        topic: UInt32,
        at now: Milliseconds
    ) {
        let old = widgets[Int(widget)]
        if old.marks.contains(.exists) && old.topic == topic { return }
        if old.marks.contains(.exists) {
            assert(old.device == device && old.kind == kind, "the widget is another one")
            topics[Int(old.topic)].members -= 1
            // Open causes stay open, except the date, which belonged to the former content.
            if !causes(widget, at: now).isEmpty { widgets[Int(widget)].marks.insert(.inherited) }
            widgets[Int(widget)].dueTime = nil
        } else {
            widgets[Int(widget)] = CheckedWidget(device: device, topic: 0, cleared: 0, kind: kind)
            widgets[Int(widget)].most = old.most
            widgets[Int(widget)].marks = .exists
            widgetCount += 1
        }
        widgets[Int(widget)].topic = topic
        widgets[Int(widget)].cleared = clock
        topics[Int(topic)].members += 1
    }

    /// Records that WIDGETS no longer lists a widget.
    mutating func removed(_ widget: UInt32) {
        let old = widgets[Int(widget)]
        guard old.marks.contains(.exists) else { return }
        topics[Int(old.topic)].members -= 1
        widgets[Int(widget)].marks = []
        assert(widgetCount > 0, "a widget is removed that was not counted")
        widgetCount -= 1
    }

    /// Begins a push; calls of `pushed` name its topics.
    mutating func beginPush() { clock += 1 }

    /// Records that the router matches the last push in portions, and sends RELOADs in between.
    mutating func recordPortions() { portioned = clock }

    /// Records a topic of the push that has begun; returns the number of widgets that have the
    /// topic; 0 if the push has expired already.
    mutating func pushed(_ topic: UInt32, expiresAt: Milliseconds?, at now: Milliseconds) -> UInt32
    {
        if let expiresAt {
            if expiresAt <= now { return 0 }
            let last = topics[Int(topic)].expiresAt
            topics[Int(topic)].expiring = clock
            topics[Int(topic)].expiringAt = now
            topics[Int(topic)].expiresAt = max(last, expiresAt)
        } else {
            topics[Int(topic)].lasting = clock
            topics[Int(topic)].lastingAt = now
        }
        return topics[Int(topic)].members
    }

    /// Records a TIMELINE whose policy asks for a reload at `due`; nil for never.
    mutating func showed(
        _ widget: UInt32,
        due: Milliseconds?,
        isEnd: Bool,
        reload: UInt32,
        at now: Milliseconds
    ) {
        guard widgets[Int(widget)].marks.contains(.exists) else { return }
        var date = due
        if isEnd, let end = due {
            let floor = now + policies[Int(widgets[Int(widget)].kind)].atEndFloor
            date = max(end, floor)
        }
        widgets[Int(widget)].dueTime = date
        widgets[Int(widget)].marks.remove(.ends)
        if isEnd { widgets[Int(widget)].marks.insert(.ends) }
        if reload != 0 && reload == widgets[Int(widget)].reload {
            widgets[Int(widget)].marks.remove(.unanswered)
        }
    }

    /// Records that the widget's app has requested a reload.
    mutating func requested(_ widget: UInt32) { widgets[Int(widget)].marks.insert(.requested) }

    /// Records that the owner looks at a widget: a RELOAD for an open cause may now say `visible`.
    mutating func viewed(_ widget: UInt32, at now: Milliseconds) {
        if !causes(widget, at: now).isEmpty { widgets[Int(widget)].marks.insert(.viewed) }
    }

    /// Records that the device has moved significantly.
    mutating func moved(_ widget: UInt32) {
        if policies[Int(widgets[Int(widget)].kind)].usesLocation {
            widgets[Int(widget)].marks.insert(.moved)
        }
    }

    /// Records a new session of a device: its unanswered RELOADs may be repeated.
    mutating func connected(_ range: Range<UInt32>) {
        for widget in range where widgets[Int(widget)].marks.contains(.unanswered) {
            widgets[Int(widget)].marks.insert(.repeats)
        }
    }

    /// Records a STATE: whether the app is in the foreground, and whether it plays media.
    mutating func recordState(_ device: UInt32, front: Bool, media: Bool) {
        free[Int(device)] = (front ? 1 : 0) | (media ? 2 : 0)
    }

    /// Records that no push is being matched any more.
    mutating func endPushes() { portioned = 0 }

    // MARK: - Rules

    /// Returns the causes that ask for a reload of the widget now.
    func causes(_ widget: UInt32, at now: Milliseconds) -> OpenCauses {
        let record = widgets[Int(widget)]
        let topic = topics[Int(record.topic)]
        var causes: OpenCauses = []
        let again = portioned == clock && record.cleared == clock
        let cleared = again ? clock - 1 : record.cleared
        if topic.lasting > cleared { causes.insert(.push) }
        if topic.expiring > cleared { causes.insert(topic.expiresAt > now ? .push : .expired) }
        if let due = record.dueTime, due <= now {
            causes.insert(record.marks.contains(.ends) ? .atEnd : .after)
        }
        if record.marks.contains(.requested) { causes.insert(.request) }
        if record.marks.contains(.moved) { causes.insert(.location) }
        if record.marks.contains(.repeats) { causes.insert(.repeated) }
        if record.marks.contains(.inherited) { causes.insert(.inherited) }
        // A view is never a cause by itself.
        if record.marks.contains(.viewed) && !causes.isEmpty { causes.insert(.visible) }
        return causes
    }

    /// Returns when the pushes came that ask for a reload of the widget now: the
    /// last push without an expiry, and the last with one.
    func pushTimes(_ widget: UInt32, at now: Milliseconds) -> [Milliseconds] {
        let topic = topics[Int(widgets[Int(widget)].topic)]
        var times: [Milliseconds] = []
        if topic.lasting > widgets[Int(widget)].cleared { times.append(topic.lastingAt) }
        if topic.expiring > widgets[Int(widget)].cleared && topic.expiresAt > now {
            times.append(topic.expiringAt)
        }
        return times
    }

    /// Checks and records a RELOAD to a device, whose widgets have the numbers in `range`; returns
    /// how many widgets were charged.
    mutating func reloaded(
        _ reload: borrowing SimulatedReload,
        widgets range: Range<UInt32>,
        at now: Milliseconds
    ) throws(Violation) -> Int {
        var all: OpenCauses = []
        var kinds: UInt8 = 0
        for number in reload.named {
            let widget = range.lowerBound + number
            try judgeName(reload, naming: widget, widgets: range)
            kinds |= 1 << widgets[Int(widget)].kind
            let open = causes(widget, at: now)
            if open.isEmpty { throw unasked(reload, naming: widget, at: now) }
            all.formUnion(open)
        }
        if reload.kinds != kinds {
            throw Violation(
                "matches",
                text: "is sent a RELOAD of other kinds than those of the widgets that it names",
                device: reload.device
            )
        }
        try judgeCause(reload, among: all)
        let charged = try charge(reload, causes: all, widgets: range, at: now)
        for number in reload.named { clear(range.lowerBound + number, after: reload, at: now) }
        return charged
    }

    /// Checks that a RELOAD names a widget that its device has.
    private func judgeName(
        _ reload: borrowing SimulatedReload,
        naming widget: UInt32,
        widgets range: Range<UInt32>
    ) throws(Violation) {
        let isOwn = range.contains(widget) && widgets[Int(widget)].marks.contains(.exists)
        if !isOwn { throw reload.broken("matches", text: "a widget that the device does not have") }
    }

    /// Returns the violation of a RELOAD that names a widget without an open cause.
    private func unasked(
        _ reload: borrowing SimulatedReload,
        naming widget: UInt32,
        at now: Milliseconds
    ) -> Violation {
        let isScheduled = reload.cause == .after || reload.cause == .atEnd
        if isScheduled, let due = widgets[Int(widget)].dueTime {
            return violation(
                "dates",
                of: widget,
                text: "is sent a RELOAD \(due - now) ms before its date"
            )
        }
        let cause = reload.cause.rawValue
        return violation(
            "matches",
            of: widget,
            text: "is sent a RELOAD (\(cause)) that nothing asks for"
        )
    }

    /// Checks that the cause in a RELOAD is open for one of the widgets that it names. An expired
    /// push may be the latest of several causes, but not the only one.
    private func judgeCause(
        _ reload: borrowing SimulatedReload,
        among all: OpenCauses
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
        if !all.isDisjoint(with: [.repeated, .inherited]) { return }
        if all == .expired {
            throw reload.broken("matches", text: "is sent a RELOAD for a push that has expired")
        }
        if !all.isDisjoint(with: wanted) { return }
        throw Violation(
            "matches",
            text: "is sent a RELOAD whose cause, \(reload.cause.rawValue), none of its widgets has",
            device: reload.device
        )
    }

    /// Closes the causes of a widget that a RELOAD names.
    private mutating func clear(
        _ widget: UInt32,
        after reload: borrowing SimulatedReload,
        at now: Milliseconds
    ) {
        widgets[Int(widget)].cleared = clock
        widgets[Int(widget)].reload = UInt32(truncatingIfNeeded: reload.seq)
        let isScheduled = reload.cause == .after || reload.cause == .atEnd
        // A date that has passed but was not the cause stays open until the device answers.
        if isScheduled, let due = widgets[Int(widget)].dueTime, due <= now {
            widgets[Int(widget)].dueTime = nil
        }
        widgets[Int(widget)].marks.formIntersection([.exists, .ends])
        widgets[Int(widget)].marks.insert(.unanswered)
    }

    func violation(_ rule: String, of widget: UInt32, text: String) -> Violation {
        Violation(rule, text: text, device: widgets[Int(widget)].device, widget: widget)
    }
}
