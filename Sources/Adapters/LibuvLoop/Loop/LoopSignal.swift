internal import CLibuv
internal import Glibc

/// Receives the signals of a `LoopSignal`.
package protocol SignalOwner: AnyObject {
    /// The process has received the signal.
    func signalReceived(_ signal: LoopSignal)
}

/// Delivers a POSIX signal to its owner on the loop's thread.
@safe
package final class LoopSignal {
    /// The signal's number, such as `SIGTERM`.
    package let number: CInt
    private let handle = unsafe HandleMemory<uv_signal_t>()
    private unowned(unsafe) let owner: any SignalOwner
    private var isClosing = false

    /// Delivers the signal until `close`, even if the calling thread has blocked it. Throws libuv's
    /// error, such as `EINVAL` for `SIGKILL`.
    package init(_ loop: Loop, signal number: CInt, owner: any SignalOwner) throws(UVError) {
        self.number = number
        unsafe self.owner = owner
        unsafe UVError.assertSuccess(uv_signal_init(loop.pointer, handle.pointer))
        unsafe handle.retain(self, owner: owner)
        let status =
            unsafe (uv_signal_start(
                handle.pointer,
                { signal, _ in
                    let meter = unsafe loopMeter(of: signal!.pointee.loop)
                    let signal = unsafe object(LoopSignal.self, data: signal!.pointee.data)
                    meter.begin(.signal)
                    unsafe signal.owner.signalReceived(signal)
                    meter.end()
                },
                number
            ))
        if status < 0 {
            // The handle is open even if starting it has failed.
            close()
            throw UVError(code: status)
        }
        Self.unblock(number)
    }

    /// Lets the signal reach the calling thread.
    ///
    /// A process inherits the signal mask of the thread that started it, and many supervisors start
    /// programs on threads that block all signals. libuv does not change the mask, so the signal
    /// would stay pending for ever.
    private static func unblock(_ number: CInt) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Stops the delivery. A second call does nothing.
    package func close() {
        if isClosing { return }
        isClosing = true
        unsafe handle.close { unsafe releaseHandle($0) }
    }
}

/// Makes signals have no effect from now on, until the process ends.
///
/// When the last handle for a signal is closed, libuv restores the signal's default action, which
/// usually ends the process; ignoring the signal afterwards would miss one that arrives in between.
/// So one handle per signal stays open, on a loop that never runs.
package func discardSignals(_ numbers: [CInt]) {
    let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    let status = unsafe uv_loop_init(loop)
    if status != 0 { return }
    for number in numbers {
        let handle = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
        unsafe UVError.assertSuccess(uv_signal_init(loop, handle))
        unsafe _ = uv_signal_start(handle, { _, _ in }, number)
    }
}
