internal import CLibuv
internal import Synchronization

/// Who is told that another thread has woken the loop.
package protocol WakeupOwner: AnyObject {
    func wokenUp(_ wakeup: LoopWakeup)
}

/// The one door from other threads to the loop.
///
/// `LoopWakeup` belongs to the loop's thread like everything else; its `door` may be used anywhere.
@safe
package final class LoopWakeup {
    private let handle = unsafe HandleMemory<uv_async_t>()
    private unowned(unsafe) let owner: any WakeupOwner
    /// What other threads hold.
    package let door: LoopDoor

    package init(_ loop: Loop, owner: any WakeupOwner) throws(UVError) {
        unsafe self.owner = owner
        door = LoopDoor()
        let status = unsafe uv_async_init(loop.pointer, handle.pointer) { async in
            let wakeup = unsafe object(LoopWakeup.self, async!.pointee.data)
            unsafe wakeup.owner.wokenUp(wakeup)
        }
        UVError.assertSuccess(status)
        unsafe handle.retain(self)
        door.open(unsafe UInt(bitPattern: handle.pointer))
    }

    /// Shuts the door and closes.
    ///
    /// Closing twice is no error.
    package func close() {
        if door.shut() { unsafe handle.close { unsafe releaseHandle($0) } }
    }
}

@available(*, unavailable)
extension LoopWakeup: Sendable {}

/// Wakes a loop from any thread; does nothing once the loop has closed its side.
package final class LoopDoor: Sendable {
    /// The address of the handle, or 0 when it is closed: under the lock, so that nobody can wake a
    /// handle that is being closed.
    private let address = Mutex<UInt>(0)

    func open(_ address: UInt) {
        self.address.withLock { $0 = address }
    }

    /// Returns whether the door was open.
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
