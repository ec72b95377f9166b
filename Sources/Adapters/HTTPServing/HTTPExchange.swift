internal import Synchronization

/// One request and its answer: the state that the server's thread shares with the threads that
/// answer.
///
///     asked ──► answered ──► over
///       │                      ▲
///       └─► streaming ──► closed
///
/// The server's thread leaves a connection alone that waits for an answer or for events. The thread
/// that provides them puts the exchange into the `HTTPMailbox`, from which the server's thread
/// takes it to continue. Every change is made under the lock, and what happens after the end does
/// nothing.
final class HTTPExchange: Sendable {
    /// How far the request has come.
    private enum Phase {
        /// The handler has it, and has not answered.
        case asked
        /// The answer is known; the closure makes it on the server's thread.
        case answered(@Sendable () -> HTTPResponse)
        /// Events may be appended.
        case streaming
        /// No more events; those appended before still leave, and then the stream ends.
        case closed
        /// The answer was made, or the connection has ended.
        case over
    }

    private struct State {
        var phase = Phase.asked
        /// True while the server's thread waits to find the exchange in the mailbox.
        var isAwaited = false
        /// True if the connection must be closed, whatever has been sent.
        var isEnding = false
        /// The bytes of events that were not sent yet.
        var unsent = UnsentBytes()
    }

    /// Which request it is.
    let request: HTTPConnection.RequestID
    private let state = Mutex(State())
    private let mailbox: HTTPMailbox
    /// The most bytes of events that may be unsent.
    private let unsentLimit: Int

    init(on request: HTTPConnection.RequestID, mailbox: HTTPMailbox, unsentLimit: Int) {
        self.request = request
        self.mailbox = mailbox
        self.unsentLimit = unsentLimit
    }

    /// The answer to a request whose handler never answered.
    static var unanswered: HTTPResponse { .problem(500, detail: "the request was not answered") }

    // MARK: - From any thread

    /// Sets the answer. Returns false if there is an answer already, or the request is over.
    func answer(_ make: @escaping @Sendable () -> HTTPResponse) -> Bool {
        state.withLock { state in
            guard case .asked = state.phase else { return false }
            state.phase = .answered(make)
            leave(&state)
            return true
        }
    }

    /// Turns the answer into a stream of events; does nothing if there is an answer already.
    func beginEvents() {
        state.withLock { state in
            guard case .asked = state.phase else { return }
            state.phase = .streaming
            leave(&state)
        }
    }

    /// Appends bytes to the stream. Returns false if the stream has ended, or ends because too much
    /// is unsent.
    func append(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard case .streaming = state.phase, !state.isEnding else { return false }
            if state.unsent.count + bytes.count > unsentLimit {
                state.isEnding = true
                state.unsent = UnsentBytes()
                mailbox.leave(self)
                return false
            }
            state.unsent.append(bytes)
            leave(&state)
            return true
        }
    }

    /// Ends the stream after its unsent bytes; does nothing if it is not open.
    func closeEvents() {
        state.withLock { state in
            guard case .streaming = state.phase else { return }
            state.phase = .closed
            leave(&state)
        }
    }

    /// True while bytes can be appended.
    var isStreaming: Bool {
        state.withLock { state in
            guard case .streaming = state.phase else { return false }
            return !state.isEnding
        }
    }

    /// Lets the server's thread continue, if it waits.
    private func leave(_ state: inout State) {
        if !state.isAwaited { return }
        state.isAwaited = false
        mailbox.leave(self)
    }

    // MARK: - On the server's thread

    /// What the server's thread must do for the request now.
    enum Step {
        /// Nothing, until the exchange is in the mailbox.
        case wait
        case answer(@Sendable () -> HTTPResponse)
        /// Send events, of which there may be none yet; if they are not the last ones, ask again
        /// when the client has read them.
        case events([UInt8], areLast: Bool)
        /// Close the connection.
        case close
    }

    /// Returns what is to be done now, with as many bytes of events as `most`.
    func step(_ most: Int) -> Step {
        state.withLock { state in
            if state.isEnding { return .close }
            switch state.phase {
            case .asked:
                state.isAwaited = true
                return .wait
            case .answered(let make):
                state.phase = .over
                return .answer(make)
            case .streaming:
                let bytes = state.unsent.take(most)
                state.isAwaited = bytes.isEmpty
                return .events(bytes, areLast: false)
            case .closed:
                let bytes = state.unsent.take(most)
                return .events(bytes, areLast: state.unsent.count == 0)
            case .over: return .close
            }
        }
    }

    /// Records that the answer was sent, or that the connection has ended.
    func complete() {
        let unsent: (@Sendable () -> HTTPResponse)? = state.withLock { state in
            defer { state.phase = .over }
            state.unsent = UnsentBytes()
            guard case .answered(let make) = state.phase else { return nil }
            return make
        }
        // No client waits for the response any more, but `HTTPResponder.send(making:)` promises to
        // call the closure.
        _ = unsent?()
    }
}
