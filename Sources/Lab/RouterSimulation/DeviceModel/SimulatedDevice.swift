package import Basics
package import WidgetTimelines

/// A simulated device with an app's widgets on its screen, which behaves as iOS does.
///
///     RELOAD, own date ─► request ─► budget ─► provider is asked ─► rendered ─► TIMELINE
///                         one a      its own   one question at
///                         widget               a time
///
/// It is pure: time, providers' answers and the behaviour of the person who owns the device come
/// in, `DeviceAction`s go out. The providers are widget code, or blank timelines where only dates
/// matter.
package struct SimulatedDevice {
    /// The name of the device at the router.
    package let name: String
    /// The settings and limits that all devices of the fleet share.
    package let rules: DeviceRules
    /// The widgets in their order on the screen.
    package internal(set) var widgets: [SimulatedWidget]
    /// The screen page in sight; nil while the screen is dark or covered.
    package private(set) var page: Int?
    /// Whether the app is open.
    package private(set) var isForeground = false
    /// What the app plays; while it plays, reloads are not charged to the budget.
    package private(set) var media = DeviceMedia.silent

    /// The widgets come in their order on the screen; the rules are the settings and limits of the
    /// fleet.
    package init(name: String, rules: DeviceRules, widgets: [SimulatedWidget]) {
        self.name = name
        self.rules = rules
        self.widgets = widgets
    }

    /// The index of the widget with an id; nil if there is none.
    package func index(ofWidget id: String) -> Int? { widgets.firstIndex { $0.id == id } }

    /// Whether the widget at an index is in sight.
    package func isVisible(_ widget: Int) -> Bool { widgets[widget].page == page }

    /// When `wake` must be called at the latest; nil if nothing is due.
    package var nextWake: WallTime? {
        var next: WallTime?
        for widget in widgets {
            guard let wake = widget.nextWake(rules) else { continue }
            next = min(next ?? wake, wake)
        }
        return next
    }

    // MARK: - Start

    /// Starts the device: it registers its widgets and asks for their samples, as if its owner
    /// picked them from the gallery.
    package mutating func begin(at now: WallTime, into actions: inout [DeviceAction]) {
        assert(!widgets.contains { $0.isPlaced || $0.isAsking }, "a device begins a second time")
        actions.append(.register)
        for widget in widgets.indices {
            ask(.sample, of: widget, occasion: .added, values: nil, at: now, into: &actions)
        }
    }

    /// Accepts the answer to a question for a sample or a placeholder. After a sample the
    /// placeholder is asked for; with the placeholder, the widget is on the screen.
    package mutating func answer(
        _ question: ProviderQuestion,
        sample: RenderableEntry,
        at now: WallTime,
        into actions: inout [DeviceAction]
    ) {
        let widget = question.widget
        guard let pendingQuestion = widgets[widget].pendingQuestion,
            pendingQuestion.number == question.number
        else { return }
        assert(question.subject != .timeline, "a sample answers the question for a timeline")
        assert(question.subject == pendingQuestion.subject, "two questions have the same number")
        widgets[widget].pendingQuestion = nil
        widgets[widget].preliminaryEntry = sample
        let occasion: Rendering.Occasion = question.subject == .placeholder ? .placeholder : .sample
        actions.append(.rendered(Rendering(widget: widget, occasion: occasion, isNew: true)))
        if question.subject == .sample {
            ask(.placeholder, of: widget, occasion: .added, values: nil, at: now, into: &actions)
        } else {
            widgets[widget].isPlaced = true
            request(widget, occasion: .added, values: nil, at: now, into: &actions)
        }
    }

    /// The owner puts a widget on the screen again, or chooses another configuration for it.
    package mutating func place(
        _ widget: Int,
        at now: WallTime,
        into actions: inout [DeviceAction]
    ) {
        widgets[widget].isPlaced = true
        actions.append(.register)
        request(widget, occasion: .added, values: nil, at: now, into: &actions)
    }

    /// The owner removes a widget from the screen: nothing that was asked for it is awaited.
    package mutating func remove(_ widget: Int, into actions: inout [DeviceAction]) {
        widgets[widget].isPlaced = false
        widgets[widget].pendingQuestion = nil
        widgets[widget].request = nil
        actions.append(.register)
    }

    // MARK: - Frames from the router

    /// Handles RELOAD; unknown widgets are ignored. Inlined values are by the widgets' ids.
    package mutating func reload(
        seq: UInt64,
        widgets ids: [String],
        cause: ReloadCause,
        values: [String: String]?,
        at now: WallTime,
        into actions: inout [DeviceAction]
    ) {
        for id in ids {
            guard let widget = index(ofWidget: id) else { continue }
            request(
                widget,
                occasion: .reload(seq: seq, cause),
                values: values?[id],
                at: now,
                into: &actions
            )
        }
    }

    /// Handles a push that APNs has brought: WidgetKit reloads all of the app's widgets.
    package mutating func pushed(at now: WallTime, into actions: inout [DeviceAction]) {
        for widget in widgets.indices where widgets[widget].isPlaced {
            request(widget, occasion: .push, values: nil, at: now, into: &actions)
        }
    }

    /// Handles SCHEDULED: the router has assigned a date to the widget's next reload.
    package mutating func scheduled(widget: Int, at date: WallTime) {
        widgets[widget].reportedDate = date
    }

    // MARK: - The owner's behaviour

    /// The owner looks at a page of the screen; nil means that the screen is dark or covered.
    package mutating func look(at page: Int?, now: WallTime, into actions: inout [DeviceAction]) {
        if page == self.page { return }
        self.page = page
        var change = DeviceChange()
        var visible: [String] = []
        for widget in widgets.indices where isVisible(widget) {
            widgets[widget].recordSight(at: now)
            visible.append(widgets[widget].id)
        }
        change.visible = visible
        notify(change, into: &actions)
        // A reload that waits for the budget may use the reserve for widgets in sight.
        for widget in widgets.indices where isVisible(widget) {
            begin(widget, at: now, into: &actions)
        }
    }

    /// The owner opens or leaves the app.
    package mutating func setForeground(
        _ isForeground: Bool,
        now: WallTime,
        into actions: inout [DeviceAction]
    ) {
        if isForeground == self.isForeground { return }
        self.isForeground = isForeground
        var change = DeviceChange()
        change.isForeground = isForeground
        notify(change, into: &actions)
        beginAll(at: now, into: &actions)
    }

    /// The app starts or stops playing something.
    package mutating func setMedia(
        _ media: DeviceMedia,
        now: WallTime,
        into actions: inout [DeviceAction]
    ) {
        if media == self.media { return }
        self.media = media
        var change = DeviceChange()
        change.media = media
        notify(change, into: &actions)
        beginAll(at: now, into: &actions)
    }

    /// The device has moved far enough for widgets that use the location.
    package func move(_ actions: inout [DeviceAction]) {
        var change = DeviceChange()
        change.hasMoved = true
        notify(change, into: &actions)
    }

    /// Reports a change to the router. A device without widgets is unknown to the router and
    /// reports nothing.
    private func notify(_ change: DeviceChange, into actions: inout [DeviceAction]) {
        if !widgets.isEmpty { actions.append(.notify(change)) }
    }

    /// Reloads a widget for a reason that the router does not know, as one that was just added.
    package mutating func reloadByItself(
        _ widget: Int,
        now: WallTime,
        into actions: inout [DeviceAction]
    ) {
        request(widget, occasion: .added, values: nil, at: now, into: &actions)
    }

    /// The app's code requests reloads by `reloadTimelines(ofKind:)`, or by `reloadAllTimelines()`
    /// for nil; a kind that is requested several times is sent once.
    package func request(kinds: [String?], isDownload: Bool, into actions: inout [DeviceAction]) {
        if kinds.contains(nil) {
            return actions.append(.request(kind: nil, isDownload: isDownload))
        }
        var asked: [String] = []
        for case let kind? in kinds where !asked.contains(kind) {
            asked.append(kind)
            actions.append(.request(kind: kind, isDownload: isDownload))
        }
    }
}
