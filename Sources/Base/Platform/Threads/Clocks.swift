package import Glibc
package import Times

// The only code that reads the system's clocks; pure code gets the time as a parameter.

/// The time of a POSIX clock, in nanoseconds.
package func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    let status = unsafe clock_gettime(clock, &time)
    precondition(status == 0, "the system has the clocks of POSIX")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension MonotonicTime {
    /// The present time of the monotonic clock.
    package static var now: MonotonicTime { MonotonicTime(.now) }
}

extension ExactTime {
    /// The present time of the monotonic clock.
    package static var now: ExactTime { ExactTime(rawValue: nanoseconds(of: CLOCK_MONOTONIC)) }
}

extension WallTime {
    /// The present date.
    package static var now: WallTime { WallTime(rawValue: wallNanoseconds() / 1_000_000) }
}

/// The time in ns of a clock that never goes back; its zero is arbitrary.
package func monotonicNanoseconds() -> Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

/// The time on the wall clock, in ns since 1970-01-01T00:00:00Z.
package func wallNanoseconds() -> Int64 { nanoseconds(of: CLOCK_REALTIME) }

/// The CPU time that this process has used in user and system mode, in ns.
package func processNanoseconds() -> Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

/// The CPU time that the calling thread has used, in ns.
package func threadNanoseconds() -> Int64 { nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) }
