internal import CLibuv

/// Who is told that the loop has reached a place in its turn.
package protocol HookOwner: AnyObject {
    func hookFired(_ hook: LoopHook)
}

/// Is called every turn, when the callbacks for everything that was ready have run.
///
/// On a loop with a hook, connections that send much share the time of a turn (`ReadShare`).
@safe
package final class LoopHook {
    private let handle = unsafe HandleMemory<uv_check_t>()
    private let loop: Loop
    private unowned(unsafe) let owner: any HookOwner
    private var isClosing = false

    package init(_ loop: Loop, owner: any HookOwner) throws(UVError) {
        self.loop = loop
        unsafe self.owner = owner
        unsafe UVError.assertSuccess(uv_check_init(loop.pointer, handle.pointer))
        unsafe handle.retain(self)
        loop.reads = ReadShare(most: Loop.slabBytes)
        try UVError.check(
            unsafe uv_check_start(handle.pointer) { hook in
                let hook = unsafe object(LoopHook.self, hook!.pointee.data)
                hook.loop.reads?.endTurn()
                unsafe hook.owner.hookFired(hook)
            }
        )
    }

    /// Closing twice is no error.
    package func close() {
        if isClosing { return }
        isClosing = true
        loop.reads = nil
        unsafe handle.close { unsafe releaseHandle($0) }
    }
}

@available(*, unavailable)
extension LoopHook: Sendable {}
