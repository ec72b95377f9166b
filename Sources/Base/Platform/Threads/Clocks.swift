package import Basics
package import Glibc

// The only code that reads the system's clocks; pure code gets the time as a parameter.

/// What a POSIX clock shows.
private func reading(of clock: clockid_t) -> timespec {
    var time = timespec()
    let status = unsafe clock_gettime(clock, &time)
    precondition(status == 0, "the system has the clocks of POSIX")
    return time
}

/// The number of ns since the zero of a POSIX clock that cannot be set.
private func nanoseconds(of clock: clockid_t) -> Int64 {
    let time = reading(of: clock)
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
    package static var now: WallTime { WallTime(ExactDate.now) }
}

extension ExactDate {
    /// The present date, from 1970 to 2262.
    package static var now: ExactDate {
        let time = reading(of: CLOCK_REALTIME)
        return ExactDate(clamping: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}

extension Nanoseconds {
    /// The CPU time that this process has used so far, in user and system mode.
    package static var processCPU: Nanoseconds {
        Nanoseconds(rawValue: nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID))
    }

    /// The CPU time that a process or a thread has used so far, by its clock; see
    /// `clock_getcpuclockid(3)`.
    package static func cpu(of clock: clockid_t) -> Nanoseconds {
        Nanoseconds(rawValue: nanoseconds(of: clock))
    }

    /// The CPU time that the calling thread has used so far.
    package static var threadCPU: Nanoseconds {
        Nanoseconds(rawValue: nanoseconds(of: CLOCK_THREAD_CPUTIME_ID))
    }
}
