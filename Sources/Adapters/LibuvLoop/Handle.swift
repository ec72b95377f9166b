internal import CLibuv

/// The memory of one libuv handle, which refers to the handle's Swift object.
///
/// By libuv's rules, a handle's memory may be freed only in its close callback or later. So this
/// type allocates the memory, and the close callback frees it. In between, the handle's `data`
/// points to its object, which it retains, and every callback finds the object through it.
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

    /// The handle as libuv's base type.
    var base: UnsafeMutablePointer<uv_handle_t> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
    }

    /// The handle as a stream; only for handles that are one.
    var stream: UnsafeMutablePointer<uv_stream_t> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_stream_t.self)
    }

    /// Makes the handle keep its object alive; to be called once it is initialised.
    func retain(_ owner: AnyObject) {
        unsafe assert(base.pointee.data == nil, "the handle has its object already")
        unsafe base.pointee.data = unsafe Unmanaged.passRetained(owner).toOpaque()
    }

    /// Closes the handle; `callback` must call `releaseHandle`, which frees the memory and the
    /// object.
    func close(_ callback: uv_close_cb) {
        unsafe uv_close(base, callback)
    }
}

/// Frees a closed handle and releases its object; called as the close callback, or at its end.
func releaseHandle(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
    guard let handle = unsafe handle else { return }
    let owner = unsafe Unmanaged<AnyObject>.fromOpaque(handle.pointee.data)
    unsafe UnsafeMutableRawPointer(handle).deallocate()
    unsafe owner.release()
}

/// The object of a handle, to be called with the handle's `data` in a callback of libuv.
func object<Object: AnyObject>(
    _ type: Object.Type,
    data: UnsafeMutableRawPointer
) -> Object {
    unsafe Unmanaged<Object>.fromOpaque(data).takeUnretainedValue()
}
