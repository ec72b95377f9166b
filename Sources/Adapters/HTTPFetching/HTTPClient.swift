internal import Basics
internal import CCurl
package import LibuvLoop

/// An HTTP client on a loop: libcurl's transfers, waited for by libuv.
///
///     get ──► waiting ──► a free transfer ──► libcurl ──► ended ──► completion
///                           ▲                  ▲   │        │
///                           └──────────────────┼───┼────────┘ kept for the next
///                                              │   ▼
///                                 LoopPoll of each socket, LoopTimer
///
/// Connections stay open for later requests to the same server. The client belongs to the loop's
/// thread, and must be closed before the loop.
@safe
package final class HTTPClient {
    let loop: Loop
    private let limits: HTTPClientLimits
    /// libcurl's multi handle; nil once the client is closed.
    private(set) var multi: UnsafeMutableRawPointer?
    /// The transfers without a request, for reuse.
    private var free: [Transfer] = []
    /// The transfers with a request in flight.
    private var inFlight: [ObjectIdentifier: Transfer] = [:]
    /// The requests that wait for a free transfer.
    private var waiting = FIFO<(call: HTTPCall, completion: FetchCompletion)>()
    /// The polls of all sockets that libcurl waits for, by socket.
    var polls: [CInt: LoopPoll] = [:]
    /// Fires when libcurl wants to be called because time has passed; nil once the client is
    /// closed.
    private(set) var timer: LoopTimer?
    private let failures: LateFailures
    /// The owner of the polls and the timer, on behalf of this client.
    let reference = ClientReference()

    /// A client without connections. Throws `UVError` if the loop has no memory for a timer.
    package init(_ loop: Loop, limits: HTTPClientLimits = HTTPClientLimits()) throws {
        self.loop = loop
        var limits = limits
        limits.connections = max(1, limits.connections)
        self.limits = limits
        failures = LateFailures(loop)
        precondition(Self.isLibraryReady, "libcurl cannot be used")
        timer = try LoopTimer(loop, owner: reference)
        reference.client = self
        unsafe multi = curl_multi_init()
        guard let multi = unsafe multi else { preconditionFailure("no memory for libcurl") }
        // Unretained: after `close`, libcurl calls back no more.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe set_wait_callbacks(
            multi,
            waitForSocket,
            waitForTime,
            context,
            CLong(limits.connections)
        )
    }

    /// True if libcurl's global initialization has succeeded; it runs once per process.
    private static let isLibraryReady = curl_begin() == 0

    deinit { close() }

    /// The number of requests in flight.
    package var inFlightCount: Int { inFlight.count }
    /// The number of requests waiting for a free connection.
    package var waitingCount: Int { waiting.count }

    // MARK: - Requests

    /// Sends a GET request to an address, `http://host:port/path`, with lines `Name: value` in
    /// addition to libcurl's own. Redirects are not followed: they are replies like others.
    /// `completion` is called once, on the loop's thread, in a later iteration of the loop.
    package func get(
        _ url: String,
        headers: [String] = [],
        completion: @escaping (Result<HTTPReply, HTTPFetchError>) -> Void
    ) {
        var call = HTTPCall(url)
        call.headers = headers
        send(call, completion: completion)
    }

    /// Sends a request; `completion` is called once, on the loop's thread, in a later iteration of
    /// the loop.
    package func send(
        _ call: HTTPCall,
        completion: @escaping (Result<HTTPReply, HTTPFetchError>) -> Void
    ) {
        if unsafe multi == nil {
            failures.add(completion, error: .closed)
        } else if inFlight.count < limits.connections {
            begin(call, completion: completion)
        } else if waiting.count < limits.waiting {
            waiting.append((call, completion))
        } else {
            failures.add(completion, error: .tooMany)
        }
    }

    /// Begins a request on a free transfer, or on a new one.
    private func begin(_ call: HTTPCall, completion: @escaping FetchCompletion) {
        assert(inFlight.count < limits.connections, "a request begins that has to wait")
        guard let multi = unsafe multi, let transfer = free.popLast() ?? Transfer(limits) else {
            return failures.add(completion, error: .unreachable("no memory"))
        }
        transfer.begin(call, completion: completion)
        inFlight[ObjectIdentifier(transfer)] = transfer
        let code = unsafe curl_multi_add_handle(multi, transfer.handle)
        precondition(code == CURLM_OK, "libcurl takes no transfer (error \(code.rawValue))")
    }

    /// Completes all transfers that have ended, and begins waiting requests on them.
    func finish() {
        guard let multi = unsafe multi else { return }
        var ended: [(completion: FetchCompletion, outcome: Result<HTTPReply, HTTPFetchError>)] = []
        var code = CURLE_OK
        while let handle = unsafe next_ended(multi, &code) {
            let context = unsafe transfer_context(handle)!
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            assert(
                inFlight[ObjectIdentifier(transfer)] === transfer,
                "a transfer has ended that is not in flight"
            )
            unsafe curl_multi_remove_handle(multi, handle)
            inFlight[ObjectIdentifier(transfer)] = nil
            if let completion = transfer.completion {
                ended.append((completion, transfer.end(code)))
            }
            free.append(transfer)
            assert(
                free.count + inFlight.count <= limits.connections,
                "there are more transfers than connections"
            )
        }
        while inFlight.count < limits.connections, let request = waiting.popFirst() {
            begin(request.call, completion: request.completion)
        }
        for one in ended { one.completion(one.outcome) }
    }

    // MARK: - Closing

    /// Ends all requests with `closed`, which is reported to their completions in a later iteration
    /// of the loop. A second call does nothing.
    package func close() {
        guard let multi = unsafe multi else { return }
        for transfer in inFlight.values {
            unsafe curl_multi_remove_handle(multi, transfer.handle)
            if let completion = transfer.completion { failures.add(completion, error: .closed) }
        }
        while let request = waiting.popFirst() { failures.add(request.completion, error: .closed) }
        inFlight = [:]
        free = []
        // Closes libcurl's connections and forgets their sockets.
        unsafe curl_multi_cleanup(multi)
        unsafe self.multi = nil
        for poll in polls.values { poll.close() }
        polls = [:]
        timer?.close()
        timer = nil
    }
}
