internal import CLibuv

/// The memory of one libuv handle and the object that speaks for it.
///
/// libuv's rule: a handle's memory may be reclaimed only in its close callback or after. So it is
/// allocated here and freed there; in between the handle's `data` holds its object with one retain,
/// and every callback finds the object through it.
@safe
struct HandleMemory<Handle> {
    let pointer: UnsafeMutablePointer<Handle>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe UnsafeMutableRawPointer(pointer).initializeMemory(
            as: UInt8.self,
            repeating: 0,
            count: MemoryLayout<Handle>.size
        )
    }

    var base: UnsafeMutablePointer<uv_handle_t> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
    }

    var stream: UnsafeMutablePointer<uv_stream_t> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_stream_t.self)
    }

    /// The handle is initialised: from now on it keeps its object alive.
    func retain(_ owner: AnyObject) {
        unsafe base.pointee.data = unsafe Unmanaged.passRetained(owner).toOpaque()
    }

    /// Closes the handle; its memory and the retain go with the close callback.
    func close(_ callback: uv_close_cb) {
        unsafe uv_close(base, callback)
    }
}

/// What a close callback does for a handle nobody needs to hear of any more.
func releaseHandle(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
    guard let handle = unsafe handle else { return }
    let owner = unsafe Unmanaged<AnyObject>.fromOpaque(handle.pointee.data)
    unsafe UnsafeMutableRawPointer(handle).deallocate()
    unsafe owner.release()
}

/// Finds the object that a callback is for.
func object<Object: AnyObject>(
    _ type: Object.Type,
    _ data: UnsafeMutableRawPointer
) -> Object {
    unsafe Unmanaged<Object>.fromOpaque(data).takeUnretainedValue()
}
