internal import Basics
internal import FrameCodec
internal import Platform

/// Publishes pushes to a router, over a connection that is restored when it is lost.
///
/// ```swift
/// let publisher = try await Publisher.connect(
///     to: "localhost:7410", app: "com.mygame", token: secret, producer: "shard-7")
/// try await publisher.push(#"{"event":"healing-potion","character":"elf-42"}"#)
/// try await publisher.flush()
/// publisher.close()
/// ```
///
/// Pushes are pipelined: `push` returns as soon as the window has capacity, `flush` when the router
/// has answered everything. A lost connection is restored after a pause that doubles from 0.1 s to
/// 5 s, and what the router has not accepted is sent again; each push takes effect once.
///
/// One thread serves the connection; all methods may be called from any task.
public final class Publisher: Sendable {
    private let host: SessionHost<PublisherBehaviour>

    private init(_ host: SessionHost<PublisherBehaviour>) { self.host = host }

    deinit { host.finish(.closed) }

    /// Connects, and returns when the router has accepted the session.
    ///
    /// - Parameters:
    ///   - address: `HOST:PORT`, `[IPv6]:PORT` or `HOST`.
    ///   - app: the app whose devices the pushes are for.
    ///   - token: one of the app's publisher tokens, if the app has any.
    ///   - tokens: asked for the token of each connection, in place of `token`; nil to send `token`
    ///     each time. Only with it, a session whose token has expired continues with another.
    ///   - producer: the name under which the router remembers the last push that it accepted. Only
    ///     one session of a name exists at a time, the newest.
    ///   - security: how the connection is protected.
    ///   - limits: when `push` waits, and how long the pauses are.
    ///   - generator: the source of the jitter of the pauses.
    ///   - onChange: called on the connection's thread when the state of the connection changes.
    ///   - onRejection: called on the connection's thread for each push that the router refuses,
    ///     before `flush` returns.
    ///   - onLoss: called on the connection's thread with the numbers of pushes that the router had
    ///     answered and has lost, because its store was replaced by an older one. Publish again
    ///     what still matters of them, as new pushes.
    ///   - onOutcome: called on the connection's thread with what became of each push, before
    ///     `flush` returns; nil if the router need not say it. It is not called for a push that is
    ///     rejected, nor if its answer is lost with the connection, nor if the router is too old to
    ///     know outcomes.
    ///   - onPause: called on the connection's thread when an operator has paused the app, whose
    ///     pushes wait then, or has resumed it.
    /// - Returns: a publisher with an established session.
    /// - Throws: `ClientError` if this first attempt fails; later ones are repeated.
    public static func connect(
        to address: String,
        app: String,
        token: String? = nil,
        tokens: TokenProvider? = nil,
        producer: String,
        security: ClientSecurity = .automatic,
        limits: ClientLimits = ClientLimits(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        onChange: @escaping @Sendable (ConnectionChange) -> Void = { _ in },
        onRejection: @escaping @Sendable (Rejection) -> Void = { _ in },
        onLoss: @escaping @Sendable (ClosedRange<UInt64>) -> Void = { _ in },
        onOutcome: (@Sendable (PushOutcome) -> Void)? = nil,
        onPause: (@Sendable (Bool) -> Void)? = nil
    ) async throws(ClientError) -> Publisher {
        let hello = HelloMessage(
            role: .publisher,
            app: app,
            token: token,
            name: producer,
            wantsOutcomes: onOutcome != nil || onPause != nil
        )
        let host = try SessionHost.start(
            PublisherBehaviour(
                session: PublisherSession(hello, awaitsToken: tokens != nil, limits: limits)
            ) { event in
                switch event {
                case .rejected(let rejection): onRejection(rejection)
                case .lost(let lost): onLoss(lost)
                case .outcome(let outcome): onOutcome?(outcome)
                case .paused(let isPaused): onPause?(isPaused)
                }
            },
            tokens: tokens,
            address: address,
            security: security,
            limits: limits,
            generator: generator,
            onChange: onChange
        )
        let publisher = Publisher(host)
        try await host.establish()
        return publisher
    }

    /// Publishes a push; waits while the window is full.
    ///
    /// - Parameters:
    ///   - payload: a JSON object. The router checks it; `onRejection` is called if it refuses it.
    ///   - urgent: whether the push may be delivered before others.
    ///   - expiresAfter: how long from now until the push expires; nil for never.
    ///   - kinds: the kinds to which the push is narrowed; nil for all.
    /// - Returns: the push's number, which a rejection of it names.
    /// - Throws: `tooLong`, `bodyInvalid`, `cancelled`, or the reason why the session is over.
    @discardableResult
    public func push(
        _ payload: [UInt8],
        urgent: Bool = false,
        expiresAfter: Duration? = nil,
        kinds: [String]? = nil
    ) async throws(ClientError) -> UInt64 {
        let push = PendingPush(
            payload: payload,
            urgent: urgent,
            expiresAt: expiresAfter.map { Self.date(after: $0) },
            kinds: kinds
        )
        let seq = try host.submit { (behaviour) throws(ClientError) in
            try behaviour.pushNow(push)
        }
        if let seq { return seq }
        return try await host.wait(
            enter: { (behaviour, waiter) throws(ClientError) in
                try behaviour.enter(push, waiter: waiter)
            },
            leave: { behaviour, id in behaviour.leavePushes(id) }
        )
    }

    /// Publishes a push whose JSON object is given as text; otherwise the same.
    @discardableResult
    public func push(
        _ payload: String,
        urgent: Bool = false,
        expiresAfter: Duration? = nil,
        kinds: [String]? = nil
    ) async throws(ClientError) -> UInt64 {
        try await push(
            Array(payload.utf8),
            urgent: urgent,
            expiresAfter: expiresAfter,
            kinds: kinds
        )
    }

    /// Waits until the router has accepted or rejected every push published so far.
    ///
    /// - Throws: `cancelled`, or the reason why the session is over.
    public func flush() async throws(ClientError) {
        let _: Void = try await host.wait(
            enter: { (behaviour, waiter) in behaviour.enter(waiter) },
            leave: { behaviour, id in behaviour.leaveFlushes(id) }
        )
    }

    /// The publisher's counters.
    public var statistics: PublisherStatistics { host.read { $0.session.statistics } }

    /// Ends the session at once; pushes that were not flushed may be lost.
    ///
    /// Closing twice does nothing.
    public func close() { host.finish(.closed) }

    /// The date that lies `duration` after `now`: not before 1970, and not after the year 9999, as
    /// later dates are none for a router.
    static func date(after duration: Duration, from now: WallTime = .now) -> WallTime {
        max(.zero, min(.lastDate, now.adding(clamped: Milliseconds(duration))))
    }
}

/// A push that waits for capacity.
struct PendingPush: Sendable {
    var payload: [UInt8]
    var urgent: Bool
    /// When the push expires; nil for never.
    var expiresAt: WallTime?
    /// The kinds to which it is narrowed; nil for all.
    var kinds: [String]?
}

/// A publisher's session, with the tasks that wait for capacity or for answers.
struct PublisherBehaviour: SessionBehaviour {
    private struct WaitingPush: Sendable {
        let push: PendingPush
        let waiter: Waiter<UInt64>
    }

    /// A task that waits until all pushes up to `target` are settled.
    private struct WaitingFlush: Sendable {
        let target: UInt64
        let waiter: Waiter<Void>
    }

    var session: PublisherSession
    /// Called without the lock with each event of the session that the publisher's owner hears of.
    let report: @Sendable (PublisherEvent) -> Void
    /// The pushes of the tasks suspended in `push`, in order.
    private var pushes = FIFO<WaitingPush>()
    /// The tasks suspended in `flush`, in order. A target may be higher than a later one if a
    /// waiting push was cancelled in between; the later flush then waits for the earlier one.
    private var flushes = FIFO<WaitingFlush>()

    init(session: PublisherSession, report: @escaping @Sendable (PublisherEvent) -> Void) {
        self.session = session
        self.report = report
    }

    /// Publishes a push, unless others are waiting or there is no capacity; then returns nil.
    mutating func pushNow(_ push: PendingPush) throws(ClientError) -> UInt64? {
        pushes.isEmpty ? try pushNext(push) : nil
    }

    /// Publishes a push at once if possible; otherwise queues it.
    mutating func enter(_ push: PendingPush, waiter: Waiter<UInt64>) throws(ClientError) {
        if let seq = try pushNow(push) {
            // Capacity became free between the first attempt and this one.
            waiter.continuation.resume(returning: .success(seq))
        } else {
            pushes.append(WaitingPush(push: push, waiter: waiter))
        }
    }

    /// Makes `flush` wait for all pushes so far, unless they are settled.
    mutating func enter(_ waiter: Waiter<Void>) {
        let target = session.lastSeq
        if session.settledThrough >= target && pushes.isEmpty {
            waiter.continuation.resume(returning: .success(()))
        } else {
            // Waiting pushes will get the next numbers, in order.
            flushes.append(WaitingFlush(target: target + UInt64(pushes.count), waiter: waiter))
        }
    }

    /// Removes and returns the waiter of a cancelled `push`; nil if it has been resumed.
    mutating func leavePushes(_ id: UInt64) -> Waiter<UInt64>? {
        pushes.remove { $0.waiter.id == id }?.waiter
    }

    /// Removes and returns the waiter of a cancelled `flush`; nil if it has been resumed.
    mutating func leaveFlushes(_ id: UInt64) -> Waiter<Void>? {
        flushes.remove { $0.waiter.id == id }?.waiter
    }

    mutating func react() -> Effects {
        var effects = Effects()
        for event in session.takeEvents() { effects.append { [report] in report(event) } }
        while !pushes.isEmpty && session.hasRoom, let next = pushes.popFirst() {
            let result = Result { () throws(ClientError) in
                guard let seq = try pushNext(next.push) else {
                    preconditionFailure("there was room for a push, and it was refused")
                }
                return seq
            }
            next.waiter.resume(result, in: &effects)
        }
        // If a waiting push was cancelled, a flush may wait for a number that no push will get.
        while !flushes.isEmpty, isFlushed(flushes[0].target), let next = flushes.popFirst() {
            next.waiter.resume(.success(()), in: &effects)
        }
        return effects
    }

    mutating func end(_ error: ClientError) -> Effects {
        var effects = Effects()
        for waiting in pushes.removeAll() { waiting.waiter.resume(.failure(error), in: &effects) }
        for waiting in flushes.removeAll() { waiting.waiter.resume(.failure(error), in: &effects) }
        return effects
    }

    private mutating func pushNext(_ push: PendingPush) throws(ClientError) -> UInt64? {
        try session.push(
            push.payload,
            urgent: push.urgent,
            expiresAt: push.expiresAt,
            kinds: push.kinds
        )
    }

    /// Whether all pushes up to `target` are settled, or no push is left that could get a number up
    /// to it.
    private func isFlushed(_ target: UInt64) -> Bool {
        session.settledThrough >= target
            || (pushes.isEmpty && session.settledThrough == session.lastSeq)
    }
}
