internal import CLibuv

/// Who is told that a socket is ready.
package protocol PollOwner: AnyObject {
    func poll(_ poll: LoopPoll, isReady ready: LoopPoll.Readiness)
}

/// Waits for a socket that somebody else reads and writes, who does so until it would block.
///
/// The socket must be open until `close`, and have one poll at a time.
@safe
package final class LoopPoll {
    /// What a socket is waited for, or ready for.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let reading = Readiness(rawValue: 1)
        package static let writing = Readiness(rawValue: 2)
        /// It has failed, which is not waited for but told.
        package static let failure = Readiness(rawValue: 4)
    }

    package let socket: CInt
    private let handle = unsafe HandleMemory<uv_poll_t>()
    private unowned(unsafe) let owner: any PollOwner
    private var isClosing = false

    /// - Throws: `EBADF`, `EPERM` or `EEXIST` if the socket is none that can be waited for.
    package init(_ loop: Loop, socket: CInt, owner: any PollOwner) throws(UVError) {
        self.socket = socket
        unsafe self.owner = owner
        let status = unsafe uv_poll_init(loop.pointer, handle.pointer, socket)
        if status < 0 {
            // It is no handle of the loop, and has no close callback that would free it.
            unsafe handle.pointer.deallocate()
            throw UVError(code: status)
        }
        unsafe handle.retain(self)
    }

    /// Waits for this from now on, and for nothing else.
    package func start(_ awaited: Readiness) throws(UVError) {
        if isClosing { return }
        var events: CInt = 0
        if awaited.contains(.reading) { events |= CInt(UV_READABLE.rawValue) }
        if awaited.contains(.writing) { events |= CInt(UV_WRITABLE.rawValue) }
        try UVError.check(
            unsafe uv_poll_start(handle.pointer, events) { handle, status, events in
                let poll = unsafe object(LoopPoll.self, handle!.pointee.data)
                unsafe poll.owner.poll(poll, isReady: LoopPoll.readiness(status, events))
            }
        )
    }

    private static func readiness(_ status: CInt, _ events: CInt) -> Readiness {
        var ready: Readiness = status < 0 ? .failure : []
        if events & CInt(UV_READABLE.rawValue) != 0 { ready.insert(.reading) }
        if events & CInt(UV_WRITABLE.rawValue) != 0 { ready.insert(.writing) }
        return ready
    }

    package func stop() {
        if !isClosing { _ = unsafe uv_poll_stop(handle.pointer) }
    }

    /// The socket may be closed from now on.
    ///
    /// Closing twice is no error.
    package func close() {
        if isClosing { return }
        isClosing = true
        unsafe handle.close { unsafe releaseHandle($0) }
    }
}

@available(*, unavailable)
extension LoopPoll: Sendable {}
