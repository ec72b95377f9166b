import Glibc

/// Runs on so many threads at once, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let threads = (0..<count).map { number in
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work { body(number) }).toOpaque()
        let status = pthread_create(
            &thread,
            nil,
            { work in
                Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body()
                return nil
            },
            work
        )
        precondition(status == 0, "cannot begin a thread")
        return thread
    }
    for thread in threads { pthread_join(thread, nil) }
}
