internal import CLibuv

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
