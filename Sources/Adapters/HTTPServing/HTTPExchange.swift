internal import CMicroHTTPD
internal import Synchronization

/// One request and its answer: the state that the server's thread shares with the threads that
/// answer.
///
///     read ──► asked ──► answered ──► sent ──► over
///                │                              ▲
///                └─────► streaming ──► closed ──┘
///
/// The server's thread suspends a connection that waits for an answer or for events. The thread
/// that provides them puts the exchange into the `HTTPMailbox`, from which the server's thread
/// takes and resumes it:
///
///     running ──► suspended ──► resuming (in the mailbox) ──► running
///
/// Every change is made under the lock: each suspension is resumed exactly once, and no connection
/// is touched after it is over.
final class HTTPExchange: Sendable {
    /// How far the request has come.
    private enum Phase {
        /// Not passed to the handler yet.
        case read
        /// The handler has it, and has not answered.
        case asked
        /// The answer is known; the closure makes it on the server's thread.
        case answered(@Sendable () -> HTTPResponse)
        /// The answer was given to libmicrohttpd.
        case sent
        /// Events may be appended.
        case streaming
        /// No more events; those appended before still leave, and then the stream ends.
        case closed
        /// libmicrohttpd has finished with the request.
        case over
    }

    /// Whether libmicrohttpd works on the connection.
    private enum ConnectionState {
        case running
        case suspended
        /// Left in the mailbox to be resumed.
        case resuming
    }

    @safe
    private struct State: @unchecked Sendable {
        // Unchecked: the pointer is used under the lock.

        var phase = Phase.read
        /// The connection; nil before `ask` and after `complete`.
        var connection: OpaquePointer?
        var connectionState = ConnectionState.running
        /// True if the connection must be closed, whatever has been sent.
        var isEnding = false
        /// The bytes of events that were not sent yet.
        var unsent = UnsentBytes()
    }

    /// The request as far as it was read; used on the server's thread only.
    let incoming: IncomingRequest
    private let state = Mutex(State())
    private let mailbox: HTTPMailbox
    /// The most bytes of events that may be unsent.
    private let unsentLimit: Int

    init(_ incoming: IncomingRequest, mailbox: HTTPMailbox, unsentLimit: Int) {
        self.incoming = incoming
        self.mailbox = mailbox
        self.unsentLimit = unsentLimit
    }

    /// The answer to a request whose handler never answered.
    static var unanswered: HTTPResponse {
        .problem(500, title: "Internal Server Error", detail: "the request was not answered")
    }

    // MARK: - From any thread

    /// Sets the answer.
    ///
    /// - Returns: false if there is an answer already, or the request is over.
    func answer(_ make: @escaping @Sendable () -> HTTPResponse) -> Bool {
        state.withLock { state in
            guard case .asked = state.phase else { return false }
            state.phase = .answered(make)
            resume(&state)
            return true
        }
    }

    /// Turns the answer into a stream of events; does nothing if there is an answer already.
    func beginEvents() {
        state.withLock { state in
            guard case .asked = state.phase else { return }
            state.phase = .streaming
            resume(&state)
        }
    }

    /// Appends bytes to the stream.
    ///
    /// - Returns: false if the stream has ended, or ends because too much is unsent.
    func append(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard case .streaming = state.phase, !state.isEnding else { return false }
            if state.unsent.count + bytes.count > unsentLimit {
                end(&state)
                return false
            }
            state.unsent.append(bytes)
            resume(&state)
            return true
        }
    }

    /// Ends the stream after its unsent bytes; does nothing if it is not open.
    func closeEvents() {
        state.withLock { state in
            guard case .streaming = state.phase else { return }
            state.phase = .closed
            resume(&state)
        }
    }

    /// True while bytes can be appended.
    var isStreaming: Bool {
        state.withLock { state in
            guard case .streaming = state.phase else { return false }
            return !state.isEnding
        }
    }

    /// Makes the server close the connection.
    func end() {
        state.withLock { end(&$0) }
    }

    /// Discards unsent events, and makes the server close the connection.
    private func end(_ state: inout State) {
        guard let connection = unsafe state.connection else { return }
        state.isEnding = true
        state.unsent = UnsentBytes()
        // Shutting the socket also ends a connection that waits for its client to read.
        unsafe end_socket(connection_socket(connection))
        resume(&state)
    }

    /// Asks the server's thread to resume the connection, if it is suspended.
    private func resume(_ state: inout State) {
        if state.connectionState != .suspended { return }
        state.connectionState = .resuming
        mailbox.leave(self)
    }

    // MARK: - On the server's thread

    /// Marks the request as passed to the handler.
    ///
    /// - Returns: false if that was done before, or the connection must be closed.
    func ask(on connection: OpaquePointer) -> Bool {
        state.withLock { state in
            guard case .read = state.phase, !incoming.isEnded else { return false }
            state.phase = .asked
            unsafe state.connection = unsafe connection
            return true
        }
    }

    /// Queues the answer if there is one, else suspends the connection.
    ///
    /// - Returns: `NO` to close the connection.
    func answer(on connection: OpaquePointer) -> MHD_Result {
        let response: OpaquePointer?
        var status: UInt32 = 200
        switch nextStep() {
        case .wait: return .YES
        case .end: return .NO
        case .stream:
            unsafe allow_silence(connection)
            unsafe response = eventResponse()
        case .send(let make):
            let answer = make()
            status = answer.status
            unsafe response = answer.queueable()
        }
        guard let response = unsafe response else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        return unsafe MHD_queue_response(connection, status, response)
    }

    /// What the server's thread must do for the request now.
    private enum Step {
        case wait
        case end
        case stream
        case send(@Sendable () -> HTTPResponse)
    }

    private func nextStep() -> Step {
        state.withLock { state in
            if state.isEnding { return .end }
            switch state.phase {
            case .asked:
                suspend(&state)
                return .wait
            case .answered(let make):
                state.phase = .sent
                return .send(make)
            case .streaming, .closed: return .stream
            case .read, .sent, .over: return .end
            }
        }
    }

    /// Makes libmicrohttpd leave the connection alone until `proceed`.
    private func suspend(_ state: inout State) {
        guard let connection = unsafe state.connection else { return }
        assert(state.connectionState == .running, "the connection is suspended already")
        state.connectionState = .suspended
        unsafe MHD_suspend_connection(connection)
    }

    /// Resumes the connection if it is suspended.
    func proceed() {
        state.withLock { state in
            guard state.connectionState != .running, let connection = unsafe state.connection else {
                return
            }
            state.connectionState = .running
            unsafe MHD_resume_connection(connection)
        }
    }

    /// Creates the endless response whose content `read` provides; nil if there is no memory.
    private func eventResponse() -> OpaquePointer? {
        // Unretained: `complete` is called only after the last read.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let response = unsafe endless_response(Self.streamBlock, readEvents, context)
        guard let response = unsafe response else { return nil }
        unsafe _ = MHD_add_response_header(response, "Content-Type", "text/event-stream")
        unsafe _ = MHD_add_response_header(response, "Cache-Control", "no-store")
        return unsafe response
    }

    /// The most bytes of events that libmicrohttpd asks for at a time.
    private static var streamBlock: Int { 8 << 10 }

    /// Moves unsent bytes into `memory`, or suspends the connection until there are more.
    ///
    /// - Returns: bytes moved; 0 if there are none yet; or one of libmicrohttpd's codes for the
    ///   end.
    fileprivate func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            if state.isEnding { return end_with_error() }
            if state.unsent.count > 0 { return unsafe state.unsent.move(into: memory) }
            guard case .streaming = state.phase else { return end_of_stream() }
            suspend(&state)
            return 0
        }
    }

    /// Records that libmicrohttpd has finished with the request, however it ended.
    func complete() {
        let unsent: (@Sendable () -> HTTPResponse)? = state.withLock { state in
            defer { state.phase = .over }
            unsafe state.connection = nil
            state.unsent = UnsentBytes()
            guard case .answered(let make) = state.phase else { return nil }
            return make
        }
        // No client waits for the response any more, but `HTTPResponder.send(making:)` promises to
        // call the closure.
        _ = unsent?()
    }
}

/// libmicrohttpd's content reader, for a stream of events.
private func readEvents(
    _ context: UnsafeMutableRawPointer?,
    position: UInt64,
    memory: UnsafeMutablePointer<CChar>?,
    byteCount: Int
) -> Int {
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context!).takeUnretainedValue()
    let memory = unsafe UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    return unsafe exchange.read(into: memory)
}

extension HTTPResponse {
    /// Creates a response of libmicrohttpd with a copy of this one; nil if there is no memory.
    fileprivate func queueable() -> OpaquePointer? {
        let response = unsafe body.withUnsafeBytes { bytes in
            // The parameter is mutable only for modes in which libmicrohttpd owns the memory.
            let memory = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            return unsafe MHD_create_response_from_buffer(bytes.count, memory, .RESPMEM_MUST_COPY)
        }
        guard let response = unsafe response else { return nil }
        for header in headers {
            unsafe _ = MHD_add_response_header(response, header.name, header.value)
        }
        return unsafe response
    }
}
