internal import Basics
internal import CCurl
internal import LibuvLoop

// How the client waits: libcurl calls back with the sockets and the time that it waits for, and the
// loop reports to it when they are ready. libcurl is called on the loop's thread only; completions
// are called after it has returned.

extension HTTPClient {
    /// Reports a ready socket to libcurl, and completes the requests that this ends.
    func process(_ socket: CInt, isReady ready: LoopPoll.Readiness) {
        guard let multi = unsafe multi else { return }
        var events: CInt = 0
        if ready.contains(.reading) { events |= CURL_CSELECT_IN }
        if ready.contains(.writing) { events |= CURL_CSELECT_OUT }
        if ready.contains(.failure) { events |= CURL_CSELECT_ERR }
        unsafe report_socket(multi, socket, events)
        finish()
    }

    /// Reports to libcurl that its time is over, and completes the requests that this ends.
    func processTime() {
        guard let multi = unsafe multi else { return }
        unsafe report_timeout(multi)
        finish()
    }

    /// Waits for a socket as libcurl asks: `what` is `CURL_POLL_IN`, `_OUT`, both, or `_REMOVE`.
    fileprivate func wait(for socket: CInt, events what: CInt) throws(UVError) {
        if what == CURL_POLL_REMOVE {
            polls.removeValue(forKey: socket)?.close()
            return
        }
        let poll: LoopPoll
        if let known = polls[socket] {
            poll = known
        } else {
            poll = try LoopPoll(loop, socket: socket, owner: reference)
            polls[socket] = poll
        }
        var awaited: LoopPoll.Readiness = []
        if what & CURL_POLL_IN != 0 { awaited.insert(.reading) }
        if what & CURL_POLL_OUT != 0 { awaited.insert(.writing) }
        try poll.start(awaited)
    }

    /// Starts the timer as libcurl asks; stops it if the time is negative.
    fileprivate func wait(milliseconds: Int) throws(UVError) {
        if milliseconds < 0 {
            timer?.stop()
        } else {
            try timer?.start(after: Milliseconds(milliseconds))
        }
    }
}

// Both callbacks return 0 (success) also when the loop cannot wait, and the transfer then ends by
// its time-out. If libcurl 7.88 gets an error here, it ends all transfers, and crashes the process
// if one of them has no connection yet.

/// libcurl's socket callback. Returns 0.
func waitForSocket(
    _ transfer: UnsafeMutableRawPointer?,
    socket: CInt,
    what: CInt,
    context: UnsafeMutableRawPointer?,
    own: UnsafeMutableRawPointer?
) -> CInt {
    let client = unsafe Unmanaged<HTTPClient>.fromOpaque(context!).takeUnretainedValue()
    try? client.wait(for: socket, events: what)
    return 0
}

/// libcurl's timer callback. Returns 0.
func waitForTime(
    _ multi: UnsafeMutableRawPointer?,
    milliseconds: CLong,
    context: UnsafeMutableRawPointer?
) -> CInt {
    let client = unsafe Unmanaged<HTTPClient>.fromOpaque(context!).takeUnretainedValue()
    try? client.wait(milliseconds: milliseconds)
    return 0
}

/// The owner of a client's polls and timer, which keep it alive until they are closed.
///
/// It refers to the client weakly, so that a client that nothing else refers to ends, and closes
/// them.
final class ClientReference: PollOwner, TimerOwner {
    /// The client; nil before it is initialised, and once it is released.
    weak var client: HTTPClient?

    func poll(_ poll: LoopPoll, isReady ready: LoopPoll.Readiness) {
        client?.process(poll.socket, isReady: ready)
    }

    func timerFired(_ timer: LoopTimer) { client?.processTime() }
}
