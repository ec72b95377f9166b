public import Foundation

/// Reports one device's widgets, and their timelines, to a router over HTTPS: for iOS, which holds
/// no connection open for a widget.
///
/// The app and its widget extension each make one, with the same storage, and keep it:
///
/// ```swift
/// let reporter = DeviceReporter(
///     url: URL(string: "https://router.example:7412")!, app: "com.mygame", device: name,
///     storage: .appGroup("group.com.mygame"), token: { try await backend.deviceToken() })
/// try await reporter.register(widgets, pushToken: info.token)
/// let date = try await reporter.report(
///     timelineOf: "w1", entries: entries.map(\.date), policy: .atEnd)
/// ```
///
/// A registration is remembered before it is sent. If the router cannot be reached, or the process
/// ends, the next call of any process sends it first; what the router has confirmed is not sent
/// again until it changes or is a day old.
///
/// Requests of one reporter follow each other. Faults of the network, and refusals that pass by
/// themselves, are followed by another attempt after a pause that doubles and has jitter, and that
/// is no shorter than the router's `Retry-After`.
public actor DeviceReporter {
    private let makeDestination: @Sendable () throws -> Destination
    private var madeDestination: Destination?
    let limits: ReportLimits
    let system: ReportSystem
    let provideToken: @Sendable () async throws -> String
    let memory: Memory
    /// The credential that the router has not refused yet.
    var token: String?
    /// The last registration that the router has confirmed, if that could not be remembered.
    var unsaved: ConfirmedRegistration?
    /// Whether a request is under way.
    var isSending = false
    /// The tasks that wait until none is, in order.
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// What the app does, as it was last reported or tried to.
    private var activity = (isInForeground: false, media: MediaActivity.silent)
    /// Reports that again while the app does anything.
    private var repetition: Task<Void, Never>?

    /// Makes a reporter; nothing is sent before its first call.
    ///
    /// - Parameters:
    ///   - url: the router's listener of `--publish`, which is `https` unless it is this machine's.
    ///   - app: the app's name in the app file.
    ///   - device: the device's name, which stays the same while the app is installed, such as
    ///     that of `DeviceName`. If it throws, nothing is sent, and the next call asks again.
    ///   - storage: where the registration is remembered; the app and its extensions share it.
    ///   - limits: how often and how long it tries.
    ///   - system: transport, time and chance; tests pass their own.
    ///   - token: asked for the device's credential when there is none yet, and when the router has
    ///     refused it with 401: the app's backend signs it for this device. A `URLError` that it
    ///     throws counts as a fault of the network; any other error ends the call.
    public init(
        url: URL,
        app: String,
        device: @autoclosure @escaping @Sendable () throws -> String,
        storage: ReportStorage,
        limits: ReportLimits = ReportLimits(),
        system: ReportSystem = .live,
        token: @escaping @Sendable () async throws -> String
    ) {
        makeDestination = { Destination(url: url, app: app, device: try device()) }
        memory = Memory(storage: storage)
        self.limits = limits
        self.system = system
        provideToken = token
    }

    /// The device at the router, once its name is known.
    var destination: Destination {
        get throws(ReportError) {
            if let madeDestination { return madeDestination }
            do {
                let destination = try makeDestination()
                madeDestination = destination
                return destination
            } catch let error as ReportError {
                throw error
            } catch {
                throw .storageFailing("the device has no name: \(error)")
            }
        }
    }

    /// Registers all of the app's widgets on the device, in the place of those before; an empty
    /// list removes the device from the router. Widgets that look the same get numbers after their
    /// names, in the order of the list.
    ///
    /// Call it in `pushTokenDidChange(_:widgets:)`, and with `currentConfigurations()` when the app
    /// comes to the foreground: WidgetKit does not call a push handler when a person only chooses
    /// another value. It costs no request if nothing has changed.
    ///
    /// - Parameters:
    ///   - widgets: all of the app's widgets, not only those that have changed.
    ///   - pushToken: the token of `WidgetPushInfo`; nil if it is the one before.
    ///   - appPushToken: the app's own token, for background pushes to an app whose widgets get
    ///     none; nil if it is the one before.
    ///   - environment: the service that the tokens are for.
    /// - Returns: whether a request was needed.
    /// - Throws: why the router has not confirmed it; unless it is `storageFailing` or `invalid`,
    ///   the registration stays remembered.
    @discardableResult
    public func register(
        _ widgets: [ReportedWidget],
        pushToken: Data? = nil,
        appPushToken: Data? = nil,
        environment: PushEnvironment = .production
    ) async throws(ReportError) -> Bool {
        try remember(
            widgets,
            pushToken: pushToken,
            appPushToken: appPushToken,
            environment: environment
        )
        return try await refresh()
    }

    /// Remembers what `register` would, without sending it: for a push handler, whose process the
    /// system may stop as soon as it returns. The next call of any process sends it. It throws
    /// `storageFailing` or `invalid`.
    nonisolated public func remember(
        _ widgets: [ReportedWidget],
        pushToken: Data? = nil,
        appPushToken: Data? = nil,
        environment: PushEnvironment = .production
    ) throws(ReportError) {
        if let pushToken {
            let push = PushTarget(token: pushToken.hexadecimal, environment: environment)
            try memory.save(push, at: .push)
        }
        if let appPushToken {
            let push = PushTarget(token: appPushToken.hexadecimal, environment: environment)
            try memory.save(push, at: .appPush)
        }
        let widgets = ReportedWidget.numbered(widgets)
        try memory.save(widgets, at: .widgets)
        let ids = Set(widgets.map(\.id))
        let dates = memory.dates
        if dates.keys.contains(where: { !ids.contains($0) }) {
            try memory.save(dates.filter { ids.contains($0.key) }, at: .dates)
        }
    }

    /// Sends the remembered registration if the router has not confirmed it, or if that was more
    /// than `ReportLimits.registrationAge` ago.
    ///
    /// - Returns: whether a request was needed.
    /// - Throws: why the router has not confirmed it.
    @discardableResult
    public func refresh() async throws(ReportError) -> Bool {
        try await sendRegistration(until: system.uptime() + limits.callTime)
    }

    /// The remembered widgets that look the same.
    ///
    /// WidgetKit does not say to a provider which widget it asks for, but only what it looks like:
    /// all widgets with the same configuration get the same timeline.
    ///
    /// - Parameters:
    ///   - kind: the kind of the widgets.
    ///   - family: their size; nil for any.
    ///   - configuration: the values that the person has chosen, without those that are nil; nil
    ///     for any.
    /// - Returns: the widgets, in the order of the registration.
    public func widgets(
        ofKind kind: String,
        family: String? = nil,
        configuration: [String: ConfigurationValue?]? = nil
    ) -> [ReportedWidget] {
        let values = configuration?.compactMapValues(\.self)
        return (memory.widgets ?? []).filter { widget in
            widget.kind == kind && (family == nil || widget.family == family)
                && (values == nil || widget.configuration == values)
        }
    }

    /// Reports a new timeline of all widgets that look the same; for providers, which do not know
    /// for which widget they are asked (see `widgets(ofKind:family:configuration:)`).
    ///
    /// - Parameters:
    ///   - kind: the kind of the widgets.
    ///   - family: their size; nil for any.
    ///   - configuration: the values that the person has chosen; those that are nil are left out.
    ///   - entries: the dates of the timeline's entries.
    ///   - policy: when the timeline asks to be reloaded.
    ///   - because: why it was made; nil if the reason is a push, or not known.
    /// - Returns: the date for the timeline's own `after(_:)`, the latest of the widgets'; nil if
    ///   the policy is `never`.
    /// - Throws: `notRegistered` if there is no such widget; otherwise why it was not reported. The
    ///   timeline is good nevertheless, with the policy that it was to have.
    @discardableResult
    public func report(
        timelineOfKind kind: String,
        family: String? = nil,
        configuration: [String: ConfigurationValue?] = [:],
        entries: [Date],
        policy: ReloadPolicy,
        because: UnaskedReason? = nil
    ) async throws(ReportError) -> Date? {
        let found = widgets(ofKind: kind, family: family, configuration: configuration)
        guard !found.isEmpty else { throw .notRegistered }
        var latest: Date?
        for widget in found {
            let date = try await report(
                timelineOf: widget.id,
                entries: entries,
                policy: policy,
                because: because
            )
            latest = [latest, date].compactMap(\.self).max()
        }
        return latest
    }

    /// Reports a widget's new timeline, so that the router knows when it reloads and what that
    /// costs of its budget.
    ///
    /// The router assigns the date of the next reload, never before the one that the policy asks
    /// for, and spreads those of many devices. Pass it to the timeline's own `after(_:)`.
    ///
    /// - Parameters:
    ///   - widget: the widget's id.
    ///   - entries: the dates of the timeline's entries.
    ///   - policy: when the timeline asks to be reloaded.
    ///   - because: why it was made; nil if the reason is a push, or not known. If the date of the
    ///     widget's last timeline has come, `date` takes the place of nil.
    /// - Returns: the date for the timeline's own `after(_:)`; nil if the policy is `never`.
    /// - Throws: why it was not reported. The timeline is good nevertheless, with the policy that
    ///   it was to have.
    @discardableResult
    public func report(
        timelineOf widget: String,
        entries: [Date],
        policy: ReloadPolicy,
        because: UnaskedReason? = nil
    ) async throws(ReportError) -> Date? {
        let isDue = memory.dates[widget].map { $0 <= system.now() } ?? false
        let body = try TimelineBody(
            widget: widget,
            entries: entries,
            policy: policy,
            because: because ?? (isDue ? .date : nil)
        )
        let answer = try await sendRegistered(
            Report("timelines", body: body),
            time: limits.timelineTime
        )
        var dates = memory.dates
        dates[widget] = try scheduledDate(answer)
        // A date that is not remembered costs one reload a wrong reason.
        try? memory.save(dates, at: .dates)
        return dates[widget]
    }

    /// Requests a reload of the device's widgets, as WidgetKit's `reloadTimelines(ofKind:)` does,
    /// or, without a kind, `reloadAllTimelines()`.
    ///
    /// It is not sent again once the router may have it, because that would be a second request.
    ///
    /// - Parameters:
    ///   - kind: the kind; nil for all of the device's widgets.
    ///   - isDownload: whether the reason is that a background download started by an earlier
    ///     reload has finished, whose data the widgets are to show.
    /// - Throws: why it was not accepted.
    public func request(kind: String? = nil, isDownload: Bool = false) async throws(ReportError) {
        let body = RequestBody(kind: kind, because: isDownload ? "download" : nil)
        try await sendRegistered(Report("requests", body: body, isRepeatable: false))
    }

    /// Reports what has changed about the device: whether its widgets' reloads cost budget, and
    /// which widgets are in sight.
    ///
    /// While the app is in the foreground or plays media, that is reported again every
    /// `ReportLimits.stateAge`, for as long as this reporter exists. An app that is killed stops
    /// to, and the router takes it to have left the foreground; one that leaves it reports that.
    ///
    /// - Parameters:
    ///   - foreground: whether the app is in the foreground; nil if that has not changed.
    ///   - media: what the app plays; nil if that has not changed.
    ///   - visible: the ids of all widgets in sight, including those that were before; nil if that
    ///     has not changed.
    ///   - hasMovedSignificantly: whether the device is at another place now.
    /// - Throws: why it was not accepted.
    public func update(
        foreground: Bool? = nil,
        media: MediaActivity? = nil,
        visible: [String]? = nil,
        hasMovedSignificantly: Bool = false
    ) async throws(ReportError) {
        if let foreground { activity.isInForeground = foreground }
        if let media { activity.media = media }
        repeatActivity()
        let body = StateBody(
            foreground: foreground,
            media: media,
            visible: visible,
            location: hasMovedSignificantly ? "significant-change" : nil
        )
        try await sendRegistered(Report("state", body: body))
    }

    private func repeatActivity() {
        repetition?.cancel()
        repetition = nil
        if !activity.isInForeground && activity.media == .silent { return }
        let (system, pause) = (system, limits.stateAge)
        repetition = Task { [weak self] in
            while (try? await system.sleep(pause)) != nil, !Task.isCancelled {
                guard let self else { return }
                await self.reportActivity()
            }
        }
    }

    /// Reports what the app does again; the next repetition makes up for one that fails.
    private func reportActivity() async {
        let body = StateBody(
            foreground: activity.isInForeground ? true : nil,
            media: activity.media == .silent ? nil : activity.media,
            visible: nil,
            location: nil
        )
        _ = try? await sendRegistered(Report("state", body: body))
    }
}
