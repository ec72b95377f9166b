package import Basics
internal import CLibuv

/// Receives the calls of a `LoopTimer`.
package protocol TimerOwner: AnyObject {
    /// The timer's time is over.
    func timerFired(_ timer: LoopTimer)
}

/// A timer of the loop, with a resolution of 1 ms.
@safe
package final class LoopTimer {
    private let handle = unsafe HandleMemory<uv_timer_t>()
    private unowned(unsafe) let owner: any TimerOwner
    private var isClosing = false

    /// A timer that does nothing before `start`.
    package init(_ loop: Loop, owner: any TimerOwner) throws(UVError) {
        unsafe self.owner = owner
        unsafe UVError.assertSuccess(uv_timer_init(loop.pointer, handle.pointer))
        unsafe handle.retain(self, owner: owner)
    }

    /// Starts or restarts the timer; without an interval it fires once. Negative times count as 0.
    package func start(
        after delay: Milliseconds,
        repeating interval: Milliseconds = .zero
    ) throws(UVError) {
        if isClosing { return }
        try UVError.check(
            unsafe uv_timer_start(
                handle.pointer,
                { timer in
                    let meter = unsafe loopMeter(of: timer!.pointee.loop)
                    let timer = unsafe object(LoopTimer.self, data: timer!.pointee.data)
                    meter.begin(.timer)
                    unsafe timer.owner.timerFired(timer)
                    meter.end()
                },
                UInt64(max(0, delay.rawValue)),
                UInt64(max(0, interval.rawValue))
            )
        )
    }

    /// Stops the timer; it can be started again.
    package func stop() {
        if !isClosing { _ = unsafe uv_timer_stop(handle.pointer) }
    }

    /// Ends the timer for good. A second call does nothing.
    package func close() {
        if isClosing { return }
        isClosing = true
        unsafe handle.close { unsafe releaseHandle($0) }
    }
}
