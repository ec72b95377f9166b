internal import CLibuv

/// Receives the readiness reported by a `LoopPoll`.
package protocol PollOwner: AnyObject {
    /// The socket is ready for something that was waited for, or has failed.
    func poll(_ poll: LoopPoll, isReady ready: LoopPoll.Readiness)
}

/// Reports when a socket or a terminal is ready; other code then reads and writes it until that
/// would block.
///
/// The socket must stay open until `close`, and must have only one poll at a time.
@safe
package final class LoopPoll {
    /// What a socket is ready for, or what is waited for.
    package struct Readiness: OptionSet, Sendable {
        /// One bit for each of the values below.
        package let rawValue: UInt8

        /// The set of these bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Reading would not block: there are bytes, or the peer has ended.
        package static let reading = Readiness(rawValue: 1)
        /// Writing would not block.
        package static let writing = Readiness(rawValue: 2)
        /// The socket has failed. This is reported, and cannot be waited for.
        package static let failure = Readiness(rawValue: 4)
    }

    /// The descriptor of the socket.
    package let socket: CInt
    private let handle = unsafe HandleMemory<uv_poll_t>()
    private unowned(unsafe) let owner: any PollOwner
    private var isClosing = false

    /// Prepares a poll; it waits for nothing before `start`. Throws `EBADF`, `EPERM` or `EEXIST` if
    /// the socket cannot be waited for.
    package init(_ loop: Loop, socket: CInt, owner: any PollOwner) throws(UVError) {
        self.socket = socket
        unsafe self.owner = owner
        let status = unsafe uv_poll_init(loop.pointer, handle.pointer, socket)
        if status < 0 {
            // A failed handle is not part of the loop and gets no close callback, which would free
            // it.
            unsafe handle.free()
            throw UVError(code: status)
        }
        unsafe handle.retain(self, owner: owner)
    }

    /// Waits for `awaited` from now on, instead of what was waited for before. The owner is called
    /// each time the socket is ready.
    package func start(_ awaited: Readiness) throws(UVError) {
        assert(!awaited.contains(.failure), "a failure is reported without being waited for")
        if isClosing { return }
        var events: CInt = 0
        if awaited.contains(.reading) { events |= CInt(UV_READABLE.rawValue) }
        if awaited.contains(.writing) { events |= CInt(UV_WRITABLE.rawValue) }
        try UVError.check(
            unsafe uv_poll_start(handle.pointer, events) { handle, status, events in
                let meter = unsafe loopMeter(of: handle!.pointee.loop)
                let poll = unsafe object(LoopPoll.self, data: handle!.pointee.data)
                meter.begin(.poll)
                unsafe poll.owner.poll(poll, isReady: LoopPoll.readiness(status, events: events))
                meter.end()
            }
        )
    }

    private static func readiness(_ status: CInt, events: CInt) -> Readiness {
        var ready: Readiness = status < 0 ? .failure : []
        if events & CInt(UV_READABLE.rawValue) != 0 { ready.insert(.reading) }
        if events & CInt(UV_WRITABLE.rawValue) != 0 { ready.insert(.writing) }
        return ready
    }

    /// Stops waiting.
    package func stop() {
        if !isClosing { _ = unsafe uv_poll_stop(handle.pointer) }
    }

    /// Ends the poll; the socket may be closed after this. A second call does nothing.
    package func close() {
        if isClosing { return }
        isClosing = true
        unsafe handle.close { unsafe releaseHandle($0) }
    }
}
