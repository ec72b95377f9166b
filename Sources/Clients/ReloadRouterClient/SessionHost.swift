internal import Basics
internal import LibuvLoop
internal import Platform
internal import Synchronization

/// A session together with the tasks that wait for it; see `PublisherBehaviour` and
/// `DeviceBehaviour`.
protocol SessionBehaviour: Sendable {
    associatedtype Session: ClientSession
    var session: Session { get set }
    /// Processes the session's events, and continues tasks that wait for an answer or for capacity.
    mutating func react() -> Effects
    /// Ends the session: every waiting task fails with the error.
    mutating func end(_ error: ClientError) -> Effects
}

/// Work to be done after the lock is released: resuming tasks and calling callbacks.
struct Effects: Sendable {
    /// The steps, in the order in which they are performed.
    private var steps: [@Sendable () -> Void] = []

    mutating func append(_ step: @escaping @Sendable () -> Void) { steps.append(step) }

    func perform() {
        for step in steps { step() }
    }
}

/// A suspended task that waits for a value.
struct Waiter<Value: Sendable>: Sendable {
    typealias Continuation = CheckedContinuation<Result<Value, ClientError>, Never>

    /// Unique within a `SessionHost`; identifies the waiter when its task is cancelled.
    let id: UInt64
    let continuation: Continuation

    func resume(_ result: Result<Value, ClientError>, in effects: inout Effects) {
        let continuation = continuation
        effects.append { continuation.resume(returning: result) }
    }
}

/// The state shared between the tasks that use a session and the thread that drives it. One lock
/// protects it, for the time of a state transition only; no callback runs under it.
final class SessionHost<Behaviour: SessionBehaviour>: Sendable {
    private struct State: Sendable {
        var behaviour: Behaviour
        /// Wakes the driver; nil until it runs.
        var mailbox: LoopMailbox?
        /// Why the session is over; nil while it is not.
        var end: ClientError?
        /// Whether the driver was woken and has not collected output since.
        var isWoken = false
        /// Whether the router has accepted any session yet.
        var hasBeenEstablished = false
        /// The task suspended in `establish`.
        var firstSession: Waiter<Void>?
        var nextWaiter: UInt64 = 0
        /// The number of connections so far, by which a token finds the one that it is meant for.
        var connectionCount = 0
        /// Why the present connection is to be given up.
        var failure: ClientError?
    }

    private let state: Mutex<State>
    private let tokens: TokenProvider?
    private let onChange: @Sendable (ConnectionChange) -> Void

    init(
        _ behaviour: Behaviour,
        tokens: TokenProvider?,
        onChange: @escaping @Sendable (ConnectionChange) -> Void
    ) {
        state = Mutex(State(behaviour: behaviour))
        self.tokens = tokens
        self.onChange = onChange
    }

    /// Starts a session on a thread of its own, without waiting for WELCOME.
    static func start(
        _ behaviour: Behaviour,
        tokens: TokenProvider?,
        address: String,
        security: ClientSecurity,
        limits: ClientLimits,
        generator: any RandomNumberGenerator & Sendable,
        onChange: @escaping @Sendable (ConnectionChange) -> Void
    ) throws(ClientError) -> SessionHost {
        guard let endpoint = Endpoint(address) else { throw .addressInvalid(address) }
        let host = SessionHost(behaviour, tokens: tokens, onChange: onChange)
        let status = startThread {
            do throws(ClientError) {
                try SessionDriver(
                    host,
                    address: endpoint,
                    security: security,
                    limits: limits,
                    backoff: Backoff(limits, generator: generator)
                ).run()
            } catch {
                while host.lost(error) {}
            }
        }
        if status != 0 {
            throw .limitReached("the system starts no more threads (error \(status))")
        }
        return host
    }

    // MARK: - For tasks

    /// Changes the session, and wakes the driver so that it sends what is due; throws if the
    /// session is over.
    func submit<Value: Sendable>(
        _ body: (inout Behaviour) throws(ClientError) -> Value
    ) throws(ClientError) -> Value {
        let (value, mailbox) = try state.withLock {
            (state) throws(ClientError) -> (Value, LoopMailbox?) in
            if let end = state.end { throw end }
            let value = try body(&state.behaviour)
            if state.isWoken { return (value, nil) }
            state.isWoken = true
            return (value, state.mailbox)
        }
        mailbox?.wake()
        return value
    }

    /// Reads the session, whether or not it is over.
    func read<Value: Sendable>(_ body: (Behaviour) -> Value) -> Value {
        state.withLock { body($0.behaviour) }
    }

    /// Why the session is over; nil if it is not.
    var end: ClientError? { state.withLock { $0.end } }

    /// Suspends until the waiter passed to `enter` is resumed. If the task is cancelled, `leave`
    /// removes the waiter.
    func wait<Value: Sendable>(
        enter: (inout Behaviour, Waiter<Value>) throws(ClientError) -> Void,
        leave: @escaping @Sendable (inout Behaviour, UInt64) -> Waiter<Value>?
    ) async throws(ClientError) -> Value {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Waiter<Value>.Continuation) in
                let waiter = Waiter(id: id, continuation: continuation)
                do throws(ClientError) {
                    try submit { (behaviour) throws(ClientError) in
                        // A cancellation before this point found no waiter to remove.
                        if Task.isCancelled { throw .cancelled }
                        try enter(&behaviour, waiter)
                    }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            state.withLock { leave(&$0.behaviour, id) }?
                .continuation.resume(returning: .failure(.cancelled))
        }
        return try result.get()
    }

    /// Suspends until the first session is established or has failed.
    func establish() async throws(ClientError) {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Waiter<Void>.Continuation) in
                let early = state.withLock { state -> Result<Void, ClientError>? in
                    if let end = state.end { return .failure(end) }
                    if state.hasBeenEstablished { return .success(()) }
                    state.firstSession = Waiter(id: 0, continuation: continuation)
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            finish(.cancelled)
        }
        try result.get()
    }

    /// Ends the session; the driver's thread then ends by itself.
    func finish(_ error: ClientError) {
        let (effects, mailbox) = state.withLock { state -> (Effects, LoopMailbox?) in
            guard state.end == nil else { return (Effects(), nil) }
            return (end(&state, with: error), state.mailbox)
        }
        effects.perform()
        mailbox?.wake()
    }

    /// Ends the session with an error; every waiting task fails with it.
    private func end(_ state: inout State, with error: ClientError) -> Effects {
        assert(state.end == nil, "the session has ended already")
        state.end = error
        var effects = state.behaviour.end(error)
        state.firstSession?.resume(.failure(error), in: &effects)
        state.firstSession = nil
        effects.append { [onChange] in onChange(.ended(error)) }
        return effects
    }

    // MARK: - For the driver

    /// The driver runs; `mailbox` wakes it from any thread.
    func started(_ mailbox: LoopMailbox) {
        state.withLock { $0.mailbox = mailbox }
    }

    /// Whether the session has ended, so that the driver must stop.
    var isOver: Bool { end != nil }
    var isEstablished: Bool { state.withLock { $0.behaviour.session.isEstablished } }

    /// A socket is open.
    func opened() {
        let number = state.withLock { state in
            state.behaviour.session.connected()
            state.connectionCount += 1
            return state.connectionCount
        }
        guard let tokens else { return }
        Task {
            do {
                identify(by: .success(try await tokens()), onConnection: number)
            } catch {
                identify(by: .failure(.tokenUnavailable("\(error)")), onConnection: number)
            }
        }
    }

    /// Says HELLO with a token, or gives up the connection without one, unless the connection is
    /// gone.
    private func identify(by token: Result<String, ClientError>, onConnection number: Int) {
        let mailbox = state.withLock { state -> LoopMailbox? in
            if state.end != nil || state.connectionCount != number { return nil }
            switch token {
            case .success(let token): state.behaviour.session.identify(by: token)
            case .failure(let error): state.failure = error
            }
            return state.mailbox
        }
        mailbox?.wake()
    }

    /// Removes and returns the reason why the present connection is to be given up; nil for none.
    func takeFailure() -> ClientError? {
        state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
    }

    /// Appends frames that are due, as `ClientSession.takeOutput` does.
    func takeOutput(into bytes: inout [UInt8], limit: Int) {
        state.withLock { state in
            state.isWoken = false
            state.behaviour.session.takeOutput(into: &bytes, limit: limit)
        }
    }

    /// Processes bytes from the router; returns how many were consumed.
    func received(_ bytes: ByteView, using reader: inout FrameReader) throws(ClientError) -> Int {
        var effects = Effects()
        // Frames before one that ends the session still count.
        defer { effects.perform() }
        return try state.withLock { (state) throws(ClientError) -> Int in
            let wasEstablished = state.behaviour.session.isEstablished
            defer {
                if state.end == nil { effects = state.behaviour.react() }
                if !wasEstablished && state.behaviour.session.isEstablished {
                    established(&state, in: &effects)
                }
            }
            return try reader.read(bytes, into: &state.behaviour.session)
        }
    }

    /// Records that the router has accepted the session.
    private func established(_ state: inout State, in effects: inout Effects) {
        assert(
            state.firstSession == nil || !state.hasBeenEstablished,
            "a task waits for the first session although there was one"
        )
        state.hasBeenEstablished = true
        state.firstSession?.resume(.success(()), in: &effects)
        state.firstSession = nil
        effects.append { [onChange] in onChange(.established) }
    }

    /// The connection, or the attempt to make one, is over. Returns whether to try again.
    func lost(_ error: ClientError) -> Bool {
        let (effects, continues) = state.withLock { state -> (Effects, Bool) in
            state.behaviour.session.disconnected()
            state.failure = nil
            if state.end != nil { return (Effects(), false) }
            // A first attempt that fails is reported, rather than repeated for a router that may
            // not exist.
            let mayRecover = error.isTemporary || tokens != nil && error.asksForNewToken
            guard state.hasBeenEstablished, mayRecover else {
                return (end(&state, with: error), false)
            }
            var effects = Effects()
            effects.append { [onChange] in onChange(.lost(error)) }
            return (effects, true)
        }
        effects.perform()
        return continues
    }
}
