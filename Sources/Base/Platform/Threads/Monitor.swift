package import Basics
package import Glibc

/// A lock with a condition variable, which Synchronization's `Mutex` lacks.
@safe
package final class Monitor: @unchecked Sendable {
    // Unchecked: both pointers are constant, and what they point to is meant for use by many
    // threads.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    /// A lock that no thread has acquired.
    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        // A thread that waits without the lock, or acquires it twice, gets an error, and traps.
        var kind = pthread_mutexattr_t()
        unsafe mustSucceed(pthread_mutexattr_init(&kind))
        unsafe mustSucceed(pthread_mutexattr_settype(&kind, CInt(PTHREAD_MUTEX_ERRORCHECK)))
        unsafe mustSucceed(pthread_mutex_init(mutex, &kind))
        unsafe mustSucceed(pthread_mutexattr_destroy(&kind))
        var attributes = pthread_condattr_t()
        unsafe mustSucceed(pthread_condattr_init(&attributes))
        unsafe mustSucceed(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
        unsafe mustSucceed(pthread_cond_init(condition, &attributes))
        unsafe mustSucceed(pthread_condattr_destroy(&attributes))
    }

    deinit {
        unsafe mustSucceed(pthread_cond_destroy(condition))
        unsafe mustSucceed(pthread_mutex_destroy(mutex))
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the lock acquired. The lock is not recursive.
    @inlinable
    package func locked<Result: ~Copyable>(_ body: () -> Result) -> Result {
        unsafe mustSucceed(pthread_mutex_lock(mutex))
        defer { unsafe mustSucceed(pthread_mutex_unlock(mutex)) }
        return body()
    }

    /// Releases the lock and sleeps until `wake`, or spuriously; to be called inside `locked`.
    ///
    /// The caller checks its condition again afterwards.
    package func wait() { unsafe mustSucceed(pthread_cond_wait(condition, mutex)) }

    /// Does what `wait` does, but no longer than until a time.
    package func wait(until deadline: MonotonicTime) {
        let milliseconds = deadline.rawValue
        var time = timespec()
        time.tv_sec = Int(milliseconds / 1_000)
        time.tv_nsec = Int(milliseconds % 1_000 * 1_000_000)
        let status = unsafe pthread_cond_timedwait(condition, mutex, &time)
        precondition(status == 0 || status == ETIMEDOUT, "cannot wait (error \(status))")
    }

    /// Wakes one waiting thread, if there is any.
    package func wake() { unsafe mustSucceed(pthread_cond_signal(condition)) }
}

/// Traps if a call has failed that can fail only because of a bug in this program.
@usableFromInline
func mustSucceed(_ status: CInt) { precondition(status == 0, "a lock failed (error \(status))") }
