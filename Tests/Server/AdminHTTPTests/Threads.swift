import Glibc
import Synchronization

/// Runs on a thread that blocks nobody else, as a task that waits would.
@discardableResult
func onThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
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

/// Counts, from any thread.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}
