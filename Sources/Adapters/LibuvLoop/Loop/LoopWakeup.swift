internal import CLibuv
internal import Synchronization

/// Receives the calls of a `LoopWakeup`.
package protocol WakeupOwner: AnyObject {
    /// Another thread has called `LoopMailbox.wake`, once or several times.
    func wokenUp(_ wakeup: LoopWakeup)
}

/// Lets other threads wake the loop: the only way to reach it from outside of its thread.
///
/// `LoopWakeup` itself belongs to the loop's thread like everything else; its `mailbox` may be used
/// on any thread.
@safe
package final class LoopWakeup {
    private let handle = unsafe HandleMemory<uv_async_t>()
    private unowned(unsafe) let owner: any WakeupOwner
    /// The part that other threads use.
    package let mailbox: LoopMailbox

    /// Opens a mailbox, which does nothing before.
    package init(
        _ loop: Loop,
        mailbox: LoopMailbox = LoopMailbox(),
        owner: any WakeupOwner
    ) throws(UVError) {
        unsafe self.owner = owner
        self.mailbox = mailbox
        let status = unsafe uv_async_init(loop.pointer, handle.pointer) { async in
            let meter = unsafe loopMeter(of: async!.pointee.loop)
            let wakeup = unsafe object(LoopWakeup.self, data: async!.pointee.data)
            meter.begin(.wakeup)
            unsafe wakeup.owner.wokenUp(wakeup)
            meter.end()
        }
        UVError.assertSuccess(status)
        unsafe handle.retain(self, owner: owner)
        mailbox.open(unsafe UInt(bitPattern: handle.pointer))
    }

    /// Closes the mailbox and the handle. A second call does nothing.
    package func close() {
        if mailbox.shut() { unsafe handle.close { unsafe releaseHandle($0) } }
    }
}

/// Wakes a loop from any thread; does nothing once the loop's side is closed.
package final class LoopMailbox: Sendable {
    /// The address of the handle; 0 once it is closed. The lock makes sure that no thread wakes a
    /// handle that is being closed.
    private let address = Mutex<UInt>(0)

    /// A mailbox that is not open yet.
    package init() {}

    /// Connects the mailbox to a handle.
    func open(_ address: UInt) {
        self.address.withLock { $0 = address }
    }

    /// Disconnects the mailbox from its handle; returns true if it was open.
    func shut() -> Bool {
        address.withLock { address in
            defer { address = 0 }
            return address != 0
        }
    }

    /// Makes the loop call its owner soon; several calls may lead to one.
    package func wake() {
        address.withLock { address in
            if let handle = unsafe UnsafeMutablePointer<uv_async_t>(bitPattern: address) {
                _ = unsafe uv_async_send(handle)
            }
        }
    }
}
