import Glibc

/// Nanoseconds of CPU that the calling thread has had, in user and system mode.
func threadCPUTime() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
