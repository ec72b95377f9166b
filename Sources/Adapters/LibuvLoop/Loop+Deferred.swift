internal import CLibuv

// What a call finds out is told later: an owner is never called from inside a call that it makes.
// A write that fails or output that drains within `flush()`, bytes to be offered again after
// `resumeReading()`: each puts its connection on a list, and an idle handle performs the list in
// the next turn. It stays active through that turn, so that the loop does not wait for input then:
// what the work has led to, frames that were offered, is for the hooks at the end of the same turn.

extension Loop {
    /// Performs the connection's deferred work in the next turn.
    func performNextTurn(_ connection: TCPConnection) {
        if deferred.isEmpty {
            let status = unsafe uv_idle_start(idle) { handle in
                unsafe object(Loop.self, handle!.pointee.data).performDeferred()
            }
            UVError.assertSuccess(status)
        }
        deferred.append(connection)
    }

    /// Performs what was deferred before this turn; what is deferred meanwhile waits for the next.
    private func performDeferred() {
        if deferred.isEmpty {
            _ = unsafe uv_idle_stop(idle)
            return
        }
        // Two lists take turns, so that neither is allocated anew.
        swap(&deferred, &performing)
        for index in performing.indices { performing[index].performDeferred() }
        performing.removeAll(keepingCapacity: true)
    }

    func openIdle() {
        UVError.assertSuccess(unsafe uv_idle_init(pointer, idle))
        // Unretained: the loop outlives its own handle.
        unsafe idle.pointee.data = unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    func closeIdle() {
        deferred.removeAll()
        unsafe uv_close(
            UnsafeMutableRawPointer(idle).assumingMemoryBound(to: uv_handle_t.self),
            nil
        )
        // A request to stop may be left over, which would end a run before the close callback.
        while unsafe uv_run(pointer, UV_RUN_DEFAULT) != 0 {}
    }
}
