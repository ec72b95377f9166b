internal import CLibuv

// Owners are never called during a call that they make: the events that such a call causes are
// reported later. Examples are a write that fails or output that drains within `flush()`, and bytes
// to be offered again after `resumeReading()`. Each event puts its connection on a list, and an
// idle handle works through the list in the next iteration of the loop. The handle stays active
// during that iteration, so that the loop does not wait for input in it: the work may have caused
// something, such as frames that were offered, that the hooks at the iteration's end must process
// at once.

extension Loop {
    /// Performs the connection's deferred work in the next iteration of the loop.
    func performInNextTick(_ connection: TCPConnection) {
        assert(connection.loop === self, "the connection belongs to another loop")
        if deferred.isEmpty {
            let status = unsafe uv_idle_start(idle) { handle in
                unsafe object(Loop.self, data: handle!.pointee.data).performDeferred()
            }
            UVError.assertSuccess(status)
        }
        deferred.append(connection)
    }

    /// Performs what was deferred before this iteration; work deferred meanwhile waits for the next
    /// one.
    private func performDeferred() {
        if deferred.isEmpty {
            _ = unsafe uv_idle_stop(idle)
            return
        }
        assert(performing.isEmpty, "deferred work has begun another iteration")
        // The two lists are swapped, so that neither is allocated anew.
        swap(&deferred, &performing)
        for index in performing.indices { performing[index].performDeferred() }
        performing.removeAll(keepingCapacity: true)
    }

    /// Initialises the idle handle.
    func openIdle() {
        UVError.assertSuccess(unsafe uv_idle_init(pointer, idle))
        // Unretained: the loop outlives its own handle.
        unsafe idle.pointee.data = unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    /// Closes the idle handle, and runs the loop until that has happened.
    func closeIdle() {
        assert(performing.isEmpty, "deferred work has ended the loop that performs it")
        deferred.removeAll()
        unsafe uv_close(
            UnsafeMutableRawPointer(idle).assumingMemoryBound(to: uv_handle_t.self),
            nil
        )
        // `run` is repeated because a pending request to stop may end it before the close
        // callback.
        while run(UV_RUN_DEFAULT) != 0 {}
    }
}
