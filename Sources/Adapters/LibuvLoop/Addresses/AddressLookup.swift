internal import CLibuv

/// Receives the result of an `AddressLookup`.
package protocol LookupOwner: AnyObject {
    /// Called once when the lookup has ended, but never during a call of its `init` or `close`:
    /// with the host's addresses, at least one, or the resolver's error, such as `EAI_NONAME`.
    func lookup(_ lookup: AddressLookup, found addresses: Result<[SocketAddress], UVError>)
}

/// Looks up the addresses of a host's name on a thread of libuv, while the loop does other work.
///
/// The system's resolver cannot be interrupted, and may wait for name servers for some seconds. A
/// lookup that is closed meanwhile reports nothing, but the loop's `run` and `close` do not return
/// before the resolver does.
@safe
package final class AddressLookup {
    /// Receives the result, and is kept alive for it; nil once it has been reported, or the lookup
    /// is closed.
    private var owner: (any LookupOwner)?
    /// libuv's request, which retains this object; it is freed in its callback.
    private let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)

    /// Starts to look up a name for addresses with this port. The lookup keeps its owner, which is
    /// called on the loop's thread, alive until then, or until `close`. Throws libuv's error for a
    /// name that cannot be looked up, such as `EINVAL`.
    package init(_ loop: Loop, host: String, port: UInt16, owner: any LookupOwner) throws(UVError) {
        self.owner = owner
        var hints = unsafe SocketAddress.streamHints
        // libuv copies the texts and the hints.
        let status = unsafe uv_getaddrinfo(
            loop.pointer,
            request,
            { request, status, first in
                unsafe AddressLookup.ended(request!, status: status, first: first)
            },
            host,
            String(port),
            &hints
        )
        if status < 0 {
            // The callback, which would free the request, will not be called.
            unsafe request.deallocate()
            throw UVError(code: status)
        }
        unsafe request.pointee.data = unsafe Unmanaged.passRetained(self).toOpaque()
    }

    /// libuv's callback: reports the result, and frees the request.
    private static func ended(
        _ request: UnsafeMutablePointer<uv_getaddrinfo_t>,
        status: CInt,
        first: UnsafeMutablePointer<addrinfo>?
    ) {
        let meter = unsafe loopMeter(of: request.pointee.loop)
        meter.begin(.lookup)
        defer { meter.end() }
        let retained = unsafe Unmanaged<AddressLookup>.fromOpaque(request.pointee.data)
        let lookup = unsafe retained.takeRetainedValue()
        let found = unsafe SocketAddress.list(first)
        unsafe uv_freeaddrinfo(first)
        unsafe request.deallocate()
        guard let owner = lookup.owner else { return }
        lookup.owner = nil
        let failure = status < 0 ? UVError(code: status) : nil
        owner.lookup(lookup, found: failure.map { .failure($0) } ?? .success(found))
    }

    /// Ends the lookup: the owner is not called any more. A second call does nothing.
    package func close() {
        if owner == nil { return }
        owner = nil
        // Takes effect only if no thread has begun the lookup; the callback is called in any case.
        _ = unsafe uv_cancel(
            UnsafeMutableRawPointer(request).assumingMemoryBound(to: uv_req_t.self)
        )
    }
}
