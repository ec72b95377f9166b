package import Glibc

// The clocks of the system: whoever reads one reads it here. What is pure is given the time.

/// Nanoseconds that a clock of POSIX shows.
package func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    let status = unsafe clock_gettime(clock, &time)
    precondition(status == 0, "the system has the clocks of POSIX")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Nanoseconds of a clock that never goes back.
package func monotonicNanoseconds() -> Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

/// Milliseconds of the same clock.
package func monotonicMilliseconds() -> Int64 { monotonicNanoseconds() / 1_000_000 }

/// Nanoseconds since 1970-01-01T00:00:00Z.
package func wallNanoseconds() -> Int64 { nanoseconds(of: CLOCK_REALTIME) }

/// Milliseconds since 1970-01-01T00:00:00Z.
package func wallMilliseconds() -> Int64 { wallNanoseconds() / 1_000_000 }

/// Nanoseconds of CPU that this process has had, in user and system mode.
package func processNanoseconds() -> Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

/// Nanoseconds of CPU that the calling thread has had.
package func threadNanoseconds() -> Int64 { nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) }
