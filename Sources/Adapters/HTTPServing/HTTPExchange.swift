internal import CMicroHTTPD
internal import Synchronization

/// One request and its answer: what the server's thread shares with whoever answers.
///
///     read ──► asked ──► answered ──► sent ──► over
///                │                              ▲
///                └─────► streaming ──► closed ──┘
///
/// The server's thread suspends a connection that waits for an answer or for events, and resumes it
/// when somebody has brought them and left the exchange at the door:
///
///     running ──► suspended ──► called (waits at the door) ──► running
///
/// All under the lock: each suspension is resumed exactly once, and no connection is touched after it
/// is over.
@safe
final class HTTPExchange: Sendable {
    private enum Phase {
        /// Not handed to the handler yet.
        case read
        case asked
        /// Is made on the server's thread.
        case answered(@Sendable () -> HTTPResponse)
        case sent
        case streaming
        /// What was sent still goes out; then the stream ends.
        case closed
        case over
    }

    private enum Motion {
        case running
        case suspended
        case called
    }

    @safe
    private struct State: @unchecked Sendable {
        // Unchecked: the pointer is used under the lock.

        var phase = Phase.read
        /// Nil before it is asked, and when it is over.
        var connection: OpaquePointer?
        var motion = Motion.running
        /// Its connection is to be closed, whatever has been sent.
        var isEnding = false
        var unsent = UnsentBytes()
    }

    /// What is read of the request.
    let incoming: IncomingRequest
    private let state = Mutex(State())
    private let door: ServerDoor
    private let unsentLimit: Int

    init(_ incoming: IncomingRequest, _ door: ServerDoor, unsentLimit: Int) {
        self.incoming = incoming
        self.door = door
        self.unsentLimit = unsentLimit
    }

    static var unanswered: HTTPResponse {
        .problem(500, "Internal Server Error", "nobody has answered")
    }

    // MARK: - From any thread

    /// - Returns: false if there is an answer, or nobody to be answered any more.
    func answer(_ make: @escaping @Sendable () -> HTTPResponse) -> Bool {
        state.withLock { state in
            guard case .asked = state.phase else { return false }
            state.phase = .answered(make)
            resume(&state)
            return true
        }
    }

    /// Does nothing if there is an answer.
    func beginEvents() {
        state.withLock { state in
            guard case .asked = state.phase else { return }
            state.phase = .streaming
            resume(&state)
        }
    }

    /// - Returns: whether the stream is open, with these bytes in it.
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

    func closeEvents() {
        state.withLock { state in
            guard case .streaming = state.phase else { return }
            state.phase = .closed
            resume(&state)
        }
    }

    var isStreaming: Bool {
        state.withLock { state in
            guard case .streaming = state.phase else { return false }
            return !state.isEnding
        }
    }

    /// Has the connection closed.
    func end() {
        state.withLock { end(&$0) }
    }

    private func end(_ state: inout State) {
        guard let connection = unsafe state.connection else { return }
        state.isEnding = true
        state.unsent = UnsentBytes()
        // Also ends one that waits for its client to read.
        unsafe end_socket(connection_socket(connection))
        resume(&state)
    }

    private func resume(_ state: inout State) {
        if state.motion != .suspended { return }
        state.motion = .called
        door.leave(self)
    }

    // MARK: - On the server's thread

    /// The request is handed to the handler next; false if that has been done, or its connection is
    /// to be closed.
    func ask(on connection: OpaquePointer) -> Bool {
        state.withLock { state in
            guard case .read = state.phase, !incoming.isEnded else { return false }
            state.phase = .asked
            unsafe state.connection = unsafe connection
            return true
        }
    }

    /// Queues the answer, or waits for one.
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

    private func suspend(_ state: inout State) {
        guard let connection = unsafe state.connection else { return }
        state.motion = .suspended
        unsafe MHD_suspend_connection(connection)
    }

    /// Goes on with a connection that is suspended.
    func proceed() {
        state.withLock { state in
            guard state.motion != .running, let connection = unsafe state.connection else { return }
            state.motion = .running
            unsafe MHD_resume_connection(connection)
        }
    }

    private func eventResponse() -> OpaquePointer? {
        // Unretained: `complete` is called when nothing is read any more.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let response = unsafe endless_response(Self.streamBlock, readEvents, context)
        guard let response = unsafe response else { return nil }
        unsafe _ = MHD_add_response_header(response, "Content-Type", "text/event-stream")
        unsafe _ = MHD_add_response_header(response, "Cache-Control", "no-store")
        return unsafe response
    }

    /// Of events that are sent at once.
    private static var streamBlock: Int { 8 << 10 }

    /// Moves what is unsent, or waits for more.
    ///
    /// - Returns: how many bytes, 0 for none yet, or that the stream ends.
    fileprivate func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            if state.isEnding { return end_with_error() }
            if state.unsent.count > 0 { return unsafe state.unsent.move(into: memory) }
            guard case .streaming = state.phase else { return end_of_stream() }
            suspend(&state)
            return 0
        }
    }

    /// The request is over, however it ended.
    func complete() {
        let unsent: (@Sendable () -> HTTPResponse)? = state.withLock { state in
            defer { state.phase = .over }
            unsafe state.connection = nil
            state.unsent = UnsentBytes()
            guard case .answered(let make) = state.phase else { return nil }
            return make
        }
        // Nobody reads it; but whoever makes answers counts on being asked for each.
        _ = unsent?()
    }
}

private func readEvents(
    _ context: UnsafeMutableRawPointer?,
    _ position: UInt64,
    _ memory: UnsafeMutablePointer<CChar>?,
    _ byteCount: Int
) -> Int {
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context!).takeUnretainedValue()
    let memory = unsafe UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    return unsafe exchange.read(into: memory)
}

extension HTTPResponse {
    /// A response of libmicrohttpd that has a copy of all of this.
    fileprivate func queueable() -> OpaquePointer? {
        let response = unsafe body.withUnsafeBytes { bytes in
            // The pointer is mutable for the modes that take the memory over.
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
