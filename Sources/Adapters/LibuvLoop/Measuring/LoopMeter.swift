package import Basics
internal import CLibuv
internal import Glibc

/// Measures every callback of a loop, of whatever handle, by the time that its thread has worked.
///
/// The loop's callbacks all begin and end here, so nothing that the loop does is free or unseen. It
/// costs two readings of the processor's counter for each callback, 24 ns together, and about one
/// of the thread's clock for each millisecond.
///
/// libuv's loop refers to its meter, so that a callback finds it even if nothing else refers to its
/// `Loop` (the loop that runs is alive).
@safe
package final class LoopMeter {
    /// In memory of its own: checking at run time that accesses to a property are exclusive would
    /// cost as much as the measurement.
    private let times: UnsafeMutablePointer<CallbackTimes>

    /// The callbacks that took more than 5 ms so far.
    package var stalls: LoopStalls { unsafe times.pointee.stalls }

    /// Reports the measured costs; nil if the loop has no hook. Its handle keeps it alive until it
    /// is closed, which sets this to nil.
    unowned(unsafe) var hook: LoopHook?

    init() {
        unsafe times = .allocate(capacity: 1)
        unsafe times.initialize(to: CallbackTimes(Self.look()))
    }

    deinit {
        unsafe times.deinitialize(count: 1)
        unsafe times.deallocate()
    }

    /// Says what the present callback does from now on, so that a stall names it.
    package func enter(_ work: LoopWork) { unsafe times.pointee.enter(work, at: libuv_cycles()) }

    /// A callback begins.
    func begin(_ work: LoopWork) {
        var cycles = libuv_cycles()
        if unsafe times.pointee.needsLook(at: cycles) {
            let look = Self.look()
            unsafe times.pointee.record(look)
            cycles = look.cycles
        }
        unsafe times.pointee.begin(work, at: cycles)
    }

    /// The present callback ends.
    func end() {
        let cycles = libuv_cycles()
        let time: Nanoseconds
        if unsafe times.pointee.isLong(at: cycles) {
            time = unsafe times.pointee.endLong(at: cycles, look: Self.look())
        } else {
            time = unsafe times.pointee.end(at: cycles)
        }
        unsafe hook?.report(time)
    }

    /// A moment in the present callback, from which on a part of it is measured.
    package struct Mark {
        fileprivate let cycles: UInt64
    }

    /// The present moment.
    package var mark: Mark { Mark(cycles: libuv_cycles()) }

    /// What the thread has worked since a moment of the present callback, at the cost of two
    /// readings of the counter.
    package func time(since mark: Mark) -> Nanoseconds {
        let cycles = libuv_cycles()
        if unsafe times.pointee.isLong(from: mark.cycles, to: cycles) {
            return unsafe times.pointee.longTime(from: mark.cycles, to: cycles, look: Self.look())
        }
        return unsafe times.pointee.time(from: mark.cycles, to: cycles)
    }

    @inline(never)
    private static func look() -> CallbackTimes.Look {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        let thread = Nanoseconds(rawValue: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        let monotonic = ExactTime(rawValue: Int64(uv_hrtime()))
        return CallbackTimes.Look(cycles: libuv_cycles(), monotonic: monotonic, thread: thread)
    }
}

/// The meter of the loop to which a handle or a request belongs.
func loopMeter(of loop: UnsafeMutablePointer<uv_loop_t>) -> LoopMeter {
    unsafe object(LoopMeter.self, data: loop.pointee.data)
}
