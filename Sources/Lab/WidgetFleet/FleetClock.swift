internal import Glibc

/// The clock of fleets in real time.
enum FleetClock {
    /// Nanoseconds of the monotonic clock.
    static func monotonicNanoseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
