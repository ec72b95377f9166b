internal import CLibuv

/// The memory of one libuv handle, which keeps the handle's Swift object and its owner alive.
///
/// By libuv's rules, a handle's memory may be freed only in its close callback or later. So this
/// type allocates the memory, and the close callback frees it. In between, the handle's `data`
/// points to its object, and every callback finds the object through it. The object calls its owner
/// through an unowned reference, which costs nothing on each call; it is valid because the memory
/// retains the owner too:
///
///     [ owner, retained | the handle … data ──► object, retained ┄┄ unowned ┄┄► owner ]
///                       ▲
///                       └ pointer
///
/// So an owner that nothing else refers to lives until its handles are closed. If its end is to
/// close them, another object with a weak reference to it has to be their owner.
@safe
struct HandleMemory<Handle> {
    let pointer: UnsafeMutablePointer<Handle>

    init() {
        let byteCount = handleHeaderBytes + MemoryLayout<Handle>.size
        assert(MemoryLayout<Handle>.alignment <= handleHeaderBytes, "a handle is not aligned")
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: byteCount,
            alignment: handleHeaderBytes
        )
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        unsafe pointer = (memory + handleHeaderBytes).bindMemory(to: Handle.self, capacity: 1)
    }

    /// The handle as libuv's base type.
    var base: UnsafeMutablePointer<uv_handle_t> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
    }

    /// The handle as a stream; only for handles that are one.
    var stream: UnsafeMutablePointer<uv_stream_t> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_stream_t.self)
    }

    /// Makes the handle keep its object and the object's owner alive; to be called once it is
    /// initialised.
    func retain(_ object: AnyObject, owner: AnyObject) {
        unsafe assert(base.pointee.data == nil, "the handle has its object already")
        unsafe base.pointee.data = unsafe Unmanaged.passRetained(object).toOpaque()
        unsafe ownerOfHandle(base).pointee = unsafe Unmanaged.passRetained(owner).toOpaque()
    }

    /// Closes the handle; `callback` must call `releaseHandle`, which frees the memory and releases
    /// the object and its owner.
    func close(_ callback: uv_close_cb) { unsafe uv_close(base, callback) }

    /// Frees the memory of a handle that libuv has refused, and which therefore is not closed.
    func free() {
        unsafe assert(base.pointee.data == nil, "the handle has an object")
        unsafe (UnsafeMutableRawPointer(pointer) - handleHeaderBytes).deallocate()
    }
}

/// The size of the memory before a handle, which refers to the owner; a multiple of the alignment
/// of handles.
private var handleHeaderBytes: Int { 16 }

/// The memory before a handle: the retained owner of the handle's object.
private func ownerOfHandle(
    _ handle: UnsafeMutablePointer<uv_handle_t>
) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    unsafe (UnsafeMutableRawPointer(handle) - handleHeaderBytes)
        .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
}

/// Frees a closed handle and releases its object and the object's owner; called as the close
/// callback. Before that, `report` reports its end.
func releaseHandle(_ handle: UnsafeMutablePointer<uv_handle_t>?, report: () -> Void = {}) {
    guard let handle = unsafe handle else { return }
    let meter = unsafe loopMeter(of: handle.pointee.loop)
    meter.begin(.close)
    defer { meter.end() }
    report()
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(handle.pointee.data)
    let owner = unsafe Unmanaged<AnyObject>.fromOpaque(ownerOfHandle(handle).pointee!)
    unsafe (UnsafeMutableRawPointer(handle) - handleHeaderBytes).deallocate()
    unsafe object.release()
    unsafe owner.release()
}

/// The object of a handle, to be called with the handle's `data` in a callback of libuv.
func object<Object: AnyObject>(_ type: Object.Type, data: UnsafeMutableRawPointer) -> Object {
    unsafe Unmanaged<Object>.fromOpaque(data).takeUnretainedValue()
}
