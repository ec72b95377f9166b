package import ReloadModel
package import WidgetTimelines

/// A device with an app's widgets on its screen, which behaves as iOS does.
///
///     RELOAD, own date ─► wish ─► budget ─► provider is asked ─► rendered ─► TIMELINE
///                         one a   its own   one question at
///                         widget            a time
///
/// Pure: time, answers and what its owner does with it come in, actions go out. All times are in ms
/// since 1970.
package struct SimulatedDevice {
    package let name: String
    package let rules: DeviceRules
    package internal(set) var widgets: [SimulatedWidget]
    /// The screen page that is looked at; nil while the screen is dark or covered.
    package private(set) var page: Int?
    package private(set) var isForeground = false
    package private(set) var media = DeviceMedia.silent

    /// - Parameters:
    ///   - name: as the router knows it.
    ///   - rules: what it keeps to.
    ///   - widgets: in their order on the screen.
    package init(name: String, rules: DeviceRules, widgets: [SimulatedWidget]) {
        self.name = name
        self.rules = rules
        self.widgets = widgets
    }

    /// The index of a widget.
    package func index(ofWidget id: String) -> Int? { widgets.firstIndex { $0.id == id } }

    /// Whether a widget is in sight.
    package func isVisible(_ widget: Int) -> Bool { widgets[widget].page == page }

    /// When `wake` is to be called at the latest.
    package var nextWake: Int64? {
        var next: Int64?
        for widget in widgets {
            guard let wake = widget.nextWake(rules) else { continue }
            next = min(next ?? wake, wake)
        }
        return next
    }

    // MARK: - Beginning

    /// The owner picks the widgets from the gallery.
    package mutating func begin(at now: Int64, _ actions: inout [DeviceAction]) {
        actions.append(.register)
        for widget in widgets.indices {
            ask(.sample, of: widget, .added, values: nil, at: now, &actions)
        }
    }

    /// The gallery's sample has come; the widget is put on the screen.
    package mutating func answer(
        _ question: ProviderQuestion,
        sample: RenderableEntry,
        at now: Int64,
        _ actions: inout [DeviceAction]
    ) {
        let widget = question.widget
        guard widgets[widget].asking?.number == question.number else { return }
        widgets[widget].asking = nil
        widgets[widget].stand = sample
        let occasion: Rendering.Occasion =
            question.subject == .placeholder ? .placeholder : .sample
        actions.append(
            .rendered(
                Rendering(widget: widget, occasion: occasion, askedAt: now, isNew: true, faults: [])
            )
        )
        if question.subject == .sample {
            ask(.placeholder, of: widget, .added, values: nil, at: now, &actions)
        } else {
            widgets[widget].isPlaced = true
            wish(widget, .added, values: nil, at: now, &actions)
        }
    }

    // MARK: - What the router says

    /// RELOAD.
    ///
    /// - Parameters:
    ///   - seq: of the frame.
    ///   - ids: the widgets that are meant; unknown ones are passed over.
    ///   - cause: why.
    ///   - values: what it brings along for some of them.
    ///   - now: the time.
    ///   - actions: what is to be done.
    package mutating func reload(
        seq: UInt64,
        widgets ids: [String],
        cause: ReloadCause,
        values: [String: String]?,
        at now: Int64,
        _ actions: inout [DeviceAction]
    ) {
        for id in ids {
            guard let widget = index(ofWidget: id) else { continue }
            wish(widget, .reload(seq: seq, cause), values: values?[id], at: now, &actions)
        }
    }

    /// SCHEDULED.
    package mutating func scheduled(widget: Int, at date: Int64) {
        widgets[widget].toldDate = date
    }

    // MARK: - What the owner does

    /// The owner looks at a page, or no longer at any.
    package mutating func look(
        at page: Int?,
        now: Int64,
        _ actions: inout [DeviceAction]
    ) {
        if page == self.page { return }
        self.page = page
        var change = DeviceChange()
        var visible: [String] = []
        for widget in widgets.indices where isVisible(widget) {
            widgets[widget].see(at: now)
            visible.append(widgets[widget].id)
        }
        change.visible = visible
        tell(change, &actions)
        // What waits for the budget may use what is kept back for widgets in sight.
        for widget in widgets.indices where isVisible(widget) {
            begin(widget, at: now, &actions)
        }
    }

    /// The owner opens the app or leaves it.
    package mutating func setForeground(
        _ isForeground: Bool,
        now: Int64,
        _ actions: inout [DeviceAction]
    ) {
        if isForeground == self.isForeground { return }
        self.isForeground = isForeground
        var change = DeviceChange()
        change.isForeground = isForeground
        tell(change, &actions)
        beginAll(at: now, &actions)
    }

    /// The app begins to play, or ends it.
    package mutating func setMedia(
        _ media: DeviceMedia,
        now: Int64,
        _ actions: inout [DeviceAction]
    ) {
        if media == self.media { return }
        self.media = media
        var change = DeviceChange()
        change.media = media
        tell(change, &actions)
        beginAll(at: now, &actions)
    }

    /// The device has moved far.
    package func move(_ actions: inout [DeviceAction]) {
        var change = DeviceChange()
        change.hasMoved = true
        tell(change, &actions)
    }

    /// The router knows nothing of a device without widgets, and there is nothing for it to decide.
    private func tell(_ change: DeviceChange, _ actions: inout [DeviceAction]) {
        if !widgets.isEmpty { actions.append(.tell(change)) }
    }

    /// The owner uses a button of a widget, or changes a setting that all of them show.
    package mutating func reloadByItself(
        _ widget: Int,
        _ occasion: ReloadOccasion,
        now: Int64,
        _ actions: inout [DeviceAction]
    ) {
        wish(widget, occasion, values: nil, at: now, &actions)
    }

    /// The app's code asks for reloads; what it asks for twice is asked for once.
    ///
    /// - Parameters:
    ///   - kinds: of `reloadTimelines(ofKind:)`; nil for `reloadAllTimelines()`.
    ///   - isDownload: whether a download in the background has led to it.
    ///   - actions: what is to be done.
    package func request(
        kinds: [String?],
        isDownload: Bool,
        _ actions: inout [DeviceAction]
    ) {
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
