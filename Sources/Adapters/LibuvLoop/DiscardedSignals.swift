internal import CLibuv

/// Lets signals have no effect from now on, until the process ends.
///
/// When the last handle for a signal is closed, libuv restores its default, which ends the process
/// for most; whoever ignores the signal only then is too late for one that comes in between. So a
/// handle stays open for each, of a loop that nobody runs.
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
