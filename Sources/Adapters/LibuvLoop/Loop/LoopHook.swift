package import Basics
internal import CLibuv

/// Receives the calls of a `LoopHook`.
package protocol HookOwner: AnyObject {
    /// An iteration of the loop has processed everything that was ready.
    func hookFired(_ hook: LoopHook)
    /// A callback of the loop, of whatever handle, has ended; its cost was measured.
    func hook(_ hook: LoopHook, measured time: Nanoseconds)
}

extension HookOwner {
    /// For an owner that trusts its peers.
    package func hook(_ hook: LoopHook, measured time: Nanoseconds) {}
}

/// Calls its owner in each iteration of the loop, after the callbacks for everything that was
/// ready. This is where a server performs its tick.
///
/// On a loop with a hook, connections with much input share the time of an iteration (`ReadShare`).
@safe
package final class LoopHook {
    private let handle = unsafe HandleMemory<uv_check_t>()
    private let loop: Loop
    private unowned(unsafe) let owner: any HookOwner
    private var isClosing = false

    /// Starts the calls, which continue until `close`.
    package init(_ loop: Loop, owner: any HookOwner) throws(UVError) {
        self.loop = loop
        unsafe self.owner = owner
        unsafe UVError.assertSuccess(uv_check_init(loop.pointer, handle.pointer))
        unsafe handle.retain(self, owner: owner)
        assert(loop.reads == nil, "a loop has one hook at a time")
        loop.reads = ReadShare(most: Loop.slabBytes)
        unsafe loop.meter.hook = self
        try UVError.check(
            unsafe uv_check_start(handle.pointer) { hook in
                let hook = unsafe object(LoopHook.self, data: hook!.pointee.data)
                let meter = hook.loop.meter
                meter.begin(.tick)
                hook.loop.reads?.endTick()
                unsafe hook.owner.hookFired(hook)
                meter.end()
            }
        )
    }

    /// Reports the cost of a callback of the loop.
    func report(_ time: Nanoseconds) { unsafe owner.hook(self, measured: time) }

    /// Stops the calls. A second call does nothing.
    package func close() {
        if isClosing { return }
        isClosing = true
        loop.reads = nil
        unsafe loop.meter.hook = nil
        unsafe handle.close { unsafe releaseHandle($0) }
    }
}
