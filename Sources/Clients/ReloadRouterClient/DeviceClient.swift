internal import Basics
internal import FrameCodec
internal import Platform

/// A session of a device, or of a gateway for many devices, with a router: registers widgets and
/// receives reloads.
///
/// ```swift
/// let device = try await DeviceClient.connect(
///     to: "localhost:7410", app: "com.mygame", role: .device("anna-phone"))
/// try await device.register(widgetsBody: body)
/// for await reload in device.reloads {
///     for widget in reload.widgets {
///         try await device.answer(reload: reload, widget: widget, …)
///     }
/// }
/// ```
///
/// A lost connection is restored after a pause that doubles from 0.1 s to 5 s. Then the client
/// registers again what was registered, and sends again what the router had not answered. It
/// answers PINGs, and treats a router that is silent for too long as lost.
///
/// One thread serves the connection; all methods may be called from any task.
public final class DeviceClient: Sendable {
    private let host: SessionHost<DeviceBehaviour>
    private let role: DeviceRole
    /// The reloads that the router asks for; only one task may iterate over them.
    ///
    /// At most `ClientLimits.waitingReloads` wait. Beyond that, the oldest is dropped, which is
    /// safe: reloads are idempotent, and the router repeats those that no timeline has answered.
    /// The sequence ends with the session; `failure` then says why.
    public let reloads: AsyncStream<ReloadEvent>

    private init(
        _ host: SessionHost<DeviceBehaviour>,
        role: DeviceRole,
        reloads: AsyncStream<ReloadEvent>
    ) {
        self.host = host
        self.role = role
        self.reloads = reloads
    }

    deinit { host.finish(.closed) }

    /// Connects, and returns when the router has accepted the session.
    ///
    /// - Parameters:
    ///   - address: `HOST:PORT`, `[IPv6]:PORT` or `HOST`.
    ///   - app: the app to which the widgets belong.
    ///   - token: one of the app's device or gateway tokens, if the app has any.
    ///   - tokens: asked for the token of each connection, in place of `token`; nil to send `token`
    ///     each time. Only with it, a session whose token has expired continues with another.
    ///   - role: whether the session speaks for one device or as a gateway.
    ///   - security: how the connection is protected.
    ///   - limits: when methods wait, and how long the pauses are.
    ///   - generator: the source of the jitter of the pauses.
    ///   - onChange: called on the connection's thread when the state of the connection changes.
    ///   - onDetached: called on the connection's thread, with the device's name and the reason
    ///     (`session`, `gateway` or `removed`), when a gateway no longer speaks for a device. The
    ///     device is not registered again after a reconnect.
    ///   - onRegistrationLost: called on the connection's thread, with the device's name, when the
    ///     router refuses after a reconnect a registration that it had accepted before.
    /// - Returns: a client with an established session.
    /// - Throws: `ClientError` if this first attempt fails; later ones are repeated.
    public static func connect(
        to address: String,
        app: String,
        token: String? = nil,
        tokens: TokenProvider? = nil,
        role: DeviceRole,
        security: ClientSecurity = .automatic,
        limits: ClientLimits = ClientLimits(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        onChange: @escaping @Sendable (ConnectionChange) -> Void = { _ in },
        onDetached: @escaping @Sendable (String, String) -> Void = { _, _ in },
        onRegistrationLost: @escaping @Sendable (String, Rejection) -> Void = { _, _ in }
    ) async throws(ClientError) -> DeviceClient {
        let hello =
            switch role {
            case .device(let name): HelloMessage(role: .device, app: app, token: token, name: name)
            case .gateway: HelloMessage(role: .gateway, app: app, token: token, name: nil)
            }
        let (reloads, continuation) = AsyncStream.makeStream(
            of: ReloadEvent.self,
            bufferingPolicy: .bufferingNewest(limits.waitingReloads)
        )
        let host = try SessionHost.start(
            DeviceBehaviour(
                session: DeviceSession(hello, awaitsToken: tokens != nil, limits: limits),
                reloads: continuation
            ) { event in
                switch event {
                case .reload(let reload): continuation.yield(reload)
                case .detached(let device, let reason): onDetached(device, reason)
                case .registrationLost(let device, let rejection):
                    onRegistrationLost(device, rejection)
                case .accepted, .rejected: break
                }
            },
            tokens: tokens,
            address: address,
            security: security,
            limits: limits,
            generator: generator,
            onChange: onChange
        )
        let client = DeviceClient(host, role: role, reloads: reloads)
        try await host.establish()
        return client
    }

    /// Registers all widgets that are on the device now, and waits until the router has accepted
    /// them.
    ///
    /// - Parameter widgetsBody: the body of one WIDGETS frame, a JSON object.
    /// - Throws: `bodyInvalid` or `rejected` if it is refused; otherwise the reason why it could
    ///   not be sent.
    public func register(widgetsBody: [UInt8]) async throws(ClientError) {
        let device = try DeviceBodies.device(ofWidgets: widgetsBody)
        _ = try await send(DeviceFrame(.widgets, device: device, body: widgetsBody))
    }

    /// Reports a widget's new timeline to the router, as the answer to a reload or without one.
    ///
    /// - Parameters:
    ///   - reload: the reload that the timeline answers; nil if it was made without one.
    ///   - device: the device; by default the reload's, or the one for which the session speaks.
    ///   - widget: the widget's id.
    ///   - entries: the dates of the timeline's entries, in milliseconds since 1970, ascending.
    ///   - policy: when the timeline asks to be reloaded.
    ///   - because: why it was made without a reload; ignored if there is a `reload`.
    ///   - ownTimer: whether the app uses the returned date in its own `after(_:)`, so that
    ///     WidgetKit reloads the widget then and the router does not.
    /// - Returns: the date that the router has assigned; nil unless the policy is `after` or
    ///   `atEnd`.
    /// - Throws: `rejected` if it is refused, `bodyInvalid` for a date in another unit; otherwise
    ///   the reason why it could not be sent.
    @discardableResult
    public func answer(
        reload: ReloadEvent?,
        device: String? = nil,
        widget: String,
        entries: [Int64],
        policy: ReloadPolicy,
        because: UnaskedReason? = nil,
        ownTimer: Bool = false
    ) async throws(ClientError) -> ScheduledReload? {
        let name = try subject(device ?? reload?.device)
        try DeviceBodies.requireDates(entries, policy: policy, now: .now)
        let body = TimelineMessage.encode(
            device: name,
            widget: widget,
            reload: reload?.seq,
            because: because.flatMap { TimelineReason(rawValue: $0.rawValue) },
            entries: entries.map(WallTime.init(rawValue:)),
            policy: TimelinePolicy(policy),
            ownTimer: ownTimer
        )
        return try await send(DeviceFrame(.timeline, device: name, body: body))
    }

    /// Requests a reload of the device's widgets, as WidgetKit's `reloadTimelines(ofKind:)` does,
    /// or, without a kind, `reloadAllTimelines()`.
    ///
    /// - Parameters:
    ///   - kind: the kind; nil for all of the device's widgets.
    ///   - device: the device; by default the one for which the session speaks.
    ///   - isDownload: whether the reason is that a background download started by an earlier
    ///     reload has finished, whose data the widgets are to show.
    /// - Throws: `rejected` if it is refused; otherwise the reason why it could not be sent.
    public func request(
        kind: String? = nil,
        device: String? = nil,
        isDownload: Bool = false
    ) async throws(ClientError) {
        let name = try subject(device)
        let body = RequestMessage.encode(device: name, kind: kind, isDownload: isDownload)
        _ = try await send(DeviceFrame(.request, device: name, body: body))
    }

    /// Reports what has changed about a device: whether its widgets' reloads are charged to their
    /// budgets, and which widgets are in sight.
    ///
    /// The router remembers it over reconnects, but a router that was restarted must be sent it
    /// again.
    ///
    /// - Parameters:
    ///   - foreground: whether the app is in the foreground; nil if that has not changed.
    ///   - media: what the app plays; nil if that has not changed.
    ///   - visible: the ids of all widgets in sight, including those that were before; nil if that
    ///     has not changed. A widget that comes into sight is reloaded if its contents are out of
    ///     date.
    ///   - hasMovedSignificantly: whether the device is at another place now; widgets of kinds that
    ///     use the location are reloaded.
    ///   - device: the device; by default the one for which the session speaks.
    /// - Throws: `rejected` if it is refused; otherwise the reason why it could not be sent.
    public func update(
        foreground: Bool? = nil,
        media: MediaActivity? = nil,
        visible: [String]? = nil,
        hasMovedSignificantly: Bool = false,
        device: String? = nil
    ) async throws(ClientError) {
        let name = try subject(device)
        let body = StateMessage.encode(
            device: name,
            foreground: foreground,
            media: media.map { StateMessage.Media($0) },
            visible: visible,
            hasMovedSignificantly: hasMovedSignificantly
        )
        _ = try await send(DeviceFrame(.state, device: name, body: body))
    }

    /// Why the session is over; nil while it is established or reconnecting.
    public var failure: ClientError? { host.end }

    /// Ends the session and `reloads`; closing twice does nothing.
    public func close() { host.finish(.closed) }

    /// The device that a frame is about.
    private func subject(_ device: String?) throws(ClientError) -> String {
        if let device { return device }
        if case .device(let name) = role { return name }
        throw .bodyInvalid("a gateway must say which device it speaks for")
    }

    /// Sends a frame and waits for its answer.
    private func send(_ frame: DeviceFrame) async throws(ClientError) -> ScheduledReload? {
        try await host.wait(
            enter: { (behaviour, waiter) throws(ClientError) in
                try behaviour.enter(frame, waiter: waiter)
            },
            leave: { behaviour, id in behaviour.leave(id) }
        )
    }
}

/// Provides the token for a connection: asked before each HELLO, so also after a reconnect, and
/// when the router has ended the session because its token expired or was revoked.
///
/// ```swift
/// let device = try await DeviceClient.connect(
///     to: "localhost:7410", app: "com.mygame", tokens: { try await backend.token() },
///     role: .device("anna-phone"))
/// ```
///
/// HELLO waits for it; it should take much less than `ClientLimits.attemptTimeout`, which is for
/// the whole attempt. If it throws, the attempt has failed with `ClientError.tokenUnavailable`, and
/// unless it was the first one, another one follows after a pause.
public typealias TokenProvider = @Sendable () async throws -> String

/// A device's session, with the tasks that wait for capacity or for answers.
struct DeviceBehaviour: SessionBehaviour {
    typealias AnswerWaiter = Waiter<ScheduledReload?>

    private struct WaitingFrame: Sendable {
        let frame: DeviceFrame
        let waiter: AnswerWaiter
    }

    var session: DeviceSession
    private let reloads: AsyncStream<ReloadEvent>.Continuation
    /// Called with each event of the session, without the lock.
    private let report: @Sendable (DeviceEvent) -> Void
    /// The frames of tasks that wait for capacity, in order.
    private var frames = FIFO<WaitingFrame>()
    /// The tasks that wait for an answer, by ticket.
    private var answers: [UInt64: AnswerWaiter] = [:]

    init(
        session: DeviceSession,
        reloads: AsyncStream<ReloadEvent>.Continuation,
        report: @escaping @Sendable (DeviceEvent) -> Void
    ) {
        self.session = session
        self.reloads = reloads
        self.report = report
    }

    /// Sends the frame at once if none waits and the session has capacity; otherwise queues it.
    mutating func enter(_ frame: DeviceFrame, waiter: AnswerWaiter) throws(ClientError) {
        if frames.isEmpty, let ticket = try session.send(frame) {
            assert(answers[ticket] == nil, "another task waits for the same answer")
            answers[ticket] = waiter
        } else {
            frames.append(WaitingFrame(frame: frame, waiter: waiter))
        }
    }

    /// Removes and returns the waiter of a cancelled task; nil if it has been resumed. A frame that
    /// was sent stays sent.
    mutating func leave(_ id: UInt64) -> AnswerWaiter? {
        if let waiting = frames.remove(where: { $0.waiter.id == id }) { return waiting.waiter }
        guard let ticket = answers.first(where: { $0.value.id == id })?.key else { return nil }
        return answers.removeValue(forKey: ticket)
    }

    mutating func react() -> Effects {
        var effects = Effects()
        for event in session.takeEvents() {
            switch event {
            case .accepted(let ticket, let scheduled):
                answers.removeValue(forKey: ticket)?.resume(.success(scheduled), in: &effects)
            case .rejected(let ticket, let rejection):
                answers.removeValue(forKey: ticket)?
                    .resume(.failure(.rejected(rejection)), in: &effects)
            case .reload, .detached, .registrationLost:
                effects.append { [report] in report(event) }
            }
        }
        sendWaiting(&effects)
        return effects
    }

    mutating func end(_ error: ClientError) -> Effects {
        var effects = Effects()
        for waiting in frames.removeAll() { waiting.waiter.resume(.failure(error), in: &effects) }
        for waiter in answers.values { waiter.resume(.failure(error), in: &effects) }
        answers = [:]
        effects.append { [reloads] in reloads.finish() }
        return effects
    }

    /// Sends queued frames while the session has capacity.
    private mutating func sendWaiting(_ effects: inout Effects) {
        while !frames.isEmpty && session.hasRoom, let next = frames.popFirst() {
            do throws(ClientError) {
                guard let ticket = try session.send(next.frame) else {
                    preconditionFailure("there was room for a frame, and it was refused")
                }
                assert(answers[ticket] == nil, "another task waits for the same answer")
                answers[ticket] = next.waiter
            } catch {
                next.waiter.resume(.failure(error), in: &effects)
            }
        }
    }
}
