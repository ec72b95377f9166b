internal import FrameCodec
internal import ReloadModel

/// Holds a device's, or a gateway's, session with a router: registers widgets, hears of reloads.
///
/// ```swift
/// let device = try await DeviceClient.connect(
///     to: "localhost:7410", app: "com.mygame", role: .device("anna-phone"))
/// try await device.register(widgetsBody: body)
/// for await reload in device.reloads {
///     for widget in reload.widgets { try await device.answer(reload, widget: widget, …) }
/// }
/// ```
///
/// A lost connection is made again after a pause that doubles from 0.1 s to 5 s; what was
/// registered is registered again, and what the router had not answered is sent again. PINGs are
/// answered, and a router that is silent too long is taken for lost.
///
/// One thread serves the connection; all methods may be called from any task.
public final class DeviceClient: Sendable {
    private let host: SessionHost<DeviceBehaviour>
    private let role: DeviceRole
    /// The reloads, for one reader.
    ///
    /// At most `ClientLimits.waitingReloads` wait; beyond, the oldest is dropped, which is safe: reloads are idempotent, and the router repeats those that no
    /// timeline names. Ends when the session is over; `failure` then says why.
    public let reloads: AsyncStream<ReloadEvent>

    private init(
        _ host: SessionHost<DeviceBehaviour>,
        _ role: DeviceRole,
        _ reloads: AsyncStream<ReloadEvent>
    ) {
        self.host = host
        self.role = role
        self.reloads = reloads
    }

    deinit {
        host.finish(.closed)
    }

    /// Connects, and returns when the router has accepted the session.
    ///
    /// - Parameters:
    ///   - address: `HOST:PORT`, `[IPv6]:PORT` or `HOST`.
    ///   - app: the app that the widgets belong to.
    ///   - token: one of the app's device or gateway tokens, if it has any.
    ///   - role: for whom the session speaks.
    ///   - limits: when methods wait, and how long the pauses are.
    ///   - generator: where the jitter of the pauses comes from.
    ///   - onChange: told what happens to the connection; called on the connection's thread.
    ///   - onRegistrationLost: told when the router refuses, after a reconnect, what it accepted
    ///     before, with the device's name; called on the connection's thread.
    /// - Returns: a client with an established session.
    /// - Throws: `ClientError` if this first attempt fails; later ones are repeated.
    public static func connect(
        to address: String,
        app: String,
        token: String? = nil,
        role: DeviceRole,
        limits: ClientLimits = ClientLimits(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        onChange: @escaping @Sendable (ConnectionChange) -> Void = { _ in },
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
                session: DeviceSession(hello, limits: limits),
                reloads: continuation,
                onRegistrationLost: onRegistrationLost
            ),
            address,
            limits,
            generator,
            onChange: onChange
        )
        let client = DeviceClient(host, role, reloads)
        try await host.establish()
        return client
    }

    /// Registers all the widgets that a device shows now, and waits until the router has them.
    ///
    /// - Parameter widgetsBody: the body of one WIDGETS frame, a JSON object.
    /// - Throws: `bodyInvalid` or `rejected` if it is refused; else why it could not be sent.
    public func register(widgetsBody: [UInt8]) async throws(ClientError) {
        let device = try DeviceBodies.device(ofWidgets: widgetsBody)
        _ = try await send(DeviceFrame(.widgets, device: device, body: widgetsBody))
    }

    /// Tells the router what a widget shows from now on.
    ///
    /// - Parameters:
    ///   - reload: the reload that is answered; nil if the timeline was made unasked.
    ///   - device: the device; by default the reload's, or the one the session speaks for.
    ///   - widget: the widget's id.
    ///   - entries: the dates of the timeline's entries, in milliseconds since 1970, ascending.
    ///   - policy: when the timeline asks to be reloaded.
    ///   - because: why it was made unasked; the router looks at it only if there is no `reload`.
    ///   - ownTimer: whether the date that is returned goes into the app's own `after(_:)`, so that
    ///     WidgetKit reloads the widget then and the router does not.
    /// - Returns: the date the router has given to the policy `after` or `atEnd`.
    /// - Throws: `rejected` if it is refused; else why it could not be sent.
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
        let body = TimelineMessage.encode(
            device: name,
            widget: widget,
            reload: reload?.seq,
            because: because.flatMap { TimelineReason(rawValue: $0.rawValue) },
            entries: entries,
            policy: TimelinePolicy(policy),
            ownTimer: ownTimer
        )
        return try await send(DeviceFrame(.timeline, device: name, body: body))
    }

    /// Asks for a reload of the device's widgets: WidgetKit's `reloadTimelines(ofKind:)`, or without
    /// a kind `reloadAllTimelines()`.
    ///
    /// - Parameters:
    ///   - kind: the kind; nil for all of the device's widgets.
    ///   - device: the device; by default the one the session speaks for.
    ///   - isDownload: whether a reload's own download in the background has finished, and its data
    ///     is what the widgets are to show.
    /// - Throws: `rejected` if it is refused; else why it could not be sent.
    public func request(
        kind: String? = nil,
        device: String? = nil,
        isDownload: Bool = false
    ) async throws(ClientError) {
        let name = try subject(device)
        let body = RequestMessage.encode(device: name, kind: kind, isDownload: isDownload)
        _ = try await send(DeviceFrame(.request, device: name, body: body))
    }

    /// Tells the router what has changed about a device: whether reloads cost its widgets anything,
    /// and which of them somebody looks at.
    ///
    /// It holds over reconnects; a router that was started anew must be told again.
    ///
    /// - Parameters:
    ///   - foreground: whether the app is in the foreground; nil if that has not changed.
    ///   - media: what the app plays; nil if that has not changed.
    ///   - visible: the ids of all widgets in sight, also of those that were before; nil if that has
    ///     not changed. A widget that comes into sight reloads if it is behind.
    ///   - hasMovedSignificantly: whether the device is at another place now; widgets of kinds that
    ///     use the location reload.
    ///   - device: the device; by default the one the session speaks for.
    /// - Throws: `rejected` if it is refused; else why it could not be sent.
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

    /// Why the session is over; nil while it lives or reconnects.
    public var failure: ClientError? { host.end }

    /// Ends the session and the reloads; closing twice is no error.
    public func close() {
        host.finish(.closed)
    }

    private func subject(_ device: String?) throws(ClientError) -> String {
        if let device { return device }
        if case .device(let name) = role { return name }
        throw .bodyInvalid("a gateway must say which device it speaks for")
    }

    private func send(_ frame: DeviceFrame) async throws(ClientError) -> ScheduledReload? {
        try await host.wait(
            enter: { (behaviour, waiter) throws(ClientError) in
                try behaviour.enter(frame, waiter)
            },
            leave: { behaviour, id in behaviour.leave(id) }
        )
    }
}

/// A device's session and the tasks that wait for room or for answers.
struct DeviceBehaviour: SessionBehaviour {
    typealias AnswerWaiter = Waiter<ScheduledReload?>

    private struct WaitingFrame: Sendable {
        let frame: DeviceFrame
        let waiter: AnswerWaiter
    }

    var session: DeviceSession
    private let reloads: AsyncStream<ReloadEvent>.Continuation
    private let onRegistrationLost: @Sendable (String, Rejection) -> Void
    /// One for each task that waits for room.
    private var frames = FIFO<WaitingFrame>()
    /// One for each task that waits for an answer, by ticket.
    private var answers: [UInt64: AnswerWaiter] = [:]

    init(
        session: DeviceSession,
        reloads: AsyncStream<ReloadEvent>.Continuation,
        onRegistrationLost: @escaping @Sendable (String, Rejection) -> Void
    ) {
        self.session = session
        self.reloads = reloads
        self.onRegistrationLost = onRegistrationLost
    }

    mutating func enter(_ frame: DeviceFrame, _ waiter: AnswerWaiter) throws(ClientError) {
        if frames.isEmpty, let ticket = try session.send(frame) {
            answers[ticket] = waiter
        } else {
            frames.append(WaitingFrame(frame: frame, waiter: waiter))
        }
    }

    mutating func leave(_ id: UInt64) -> AnswerWaiter? {
        if let waiting = frames.remove(where: { $0.waiter.id == id }) { return waiting.waiter }
        guard let ticket = answers.first(where: { $0.value.id == id })?.key else { return nil }
        return answers.removeValue(forKey: ticket)
    }

    mutating func react() -> Effects {
        var effects = Effects()
        for event in session.takeEvents() {
            switch event {
            case .established, .goingAway: break
            case .reload(let reload):
                let reloads = reloads
                effects.append { reloads.yield(reload) }
            case .accepted(let ticket, let scheduled):
                answers.removeValue(forKey: ticket)?.resume(.success(scheduled), in: &effects)
            case .rejected(let ticket, let rejection):
                answers.removeValue(forKey: ticket)?
                    .resume(.failure(.rejected(rejection)), in: &effects)
            case .registrationLost(let device, let rejection):
                let onRegistrationLost = onRegistrationLost
                effects.append { onRegistrationLost(device, rejection) }
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
        let reloads = reloads
        effects.append { reloads.finish() }
        return effects
    }

    private mutating func sendWaiting(_ effects: inout Effects) {
        while !frames.isEmpty && session.hasRoom, let next = frames.popFirst() {
            do throws(ClientError) {
                guard let ticket = try session.send(next.frame) else {
                    preconditionFailure("there was room for a frame, and it was not taken")
                }
                answers[ticket] = next.waiter
            } catch {
                next.waiter.resume(.failure(error), in: &effects)
            }
        }
    }
}
