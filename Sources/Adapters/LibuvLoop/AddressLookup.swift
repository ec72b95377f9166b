internal import CLibuv

/// Who is told which addresses a host has.
package protocol LookupOwner: AnyObject {
    /// The lookup has ended; this is called once, and never from inside of `init` or `close`.
    ///
    /// - Parameters:
    ///   - lookup: the one that has ended.
    ///   - addresses: at least one, or why there is none: `EAI_NONAME` and the like.
    func lookup(_ lookup: AddressLookup, found addresses: Result<[SocketAddress], UVError>)
}

/// A host's name that is being looked up on a thread of libuv, while the loop goes on.
///
/// The system's resolver cannot be interrupted, and waits for name servers for some seconds. A lookup
/// that is closed meanwhile tells nothing any more, but until the resolver returns, the loop's `run` and
/// `close` do not return either.
@safe
package final class AddressLookup {
    /// Nil as soon as nothing is to be told any more.
    private unowned(unsafe) var owner: (any LookupOwner)?
    /// The request of libuv, which retains this object; it is freed in its callback.
    private let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)

    /// Starts to look a name up.
    ///
    /// - Parameters:
    ///   - loop: on which the owner is told.
    ///   - host: the name.
    ///   - port: the port that the addresses get.
    ///   - owner: outlives the lookup, or closes it.
    /// - Throws: what libuv says of a name that it does not look up, such as `EINVAL`.
    package init(
        _ loop: Loop,
        host: String,
        port: UInt16,
        owner: any LookupOwner
    ) throws(UVError) {
        unsafe self.owner = owner
        var hints = unsafe SocketAddress.streamHints
        // libuv copies the texts and the hints.
        let status = unsafe uv_getaddrinfo(
            loop.pointer,
            request,
            { request, status, first in
                unsafe AddressLookup.ended(request!, status, first)
            },
            host,
            String(port),
            &hints
        )
        if status < 0 {
            // There is no callback, which would free it.
            unsafe request.deallocate()
            throw UVError(code: status)
        }
        unsafe request.pointee.data = unsafe Unmanaged.passRetained(self).toOpaque()
    }

    private static func ended(
        _ request: UnsafeMutablePointer<uv_getaddrinfo_t>,
        _ status: CInt,
        _ first: UnsafeMutablePointer<addrinfo>?
    ) {
        let retained = unsafe Unmanaged<AddressLookup>.fromOpaque(request.pointee.data)
        let lookup = unsafe retained.takeRetainedValue()
        let found = unsafe SocketAddress.list(first)
        unsafe uv_freeaddrinfo(first)
        unsafe request.deallocate()
        guard let owner = unsafe lookup.owner else { return }
        unsafe lookup.owner = nil
        let failure = status < 0 ? UVError(code: status) : nil
        owner.lookup(lookup, found: failure.map { .failure($0) } ?? .success(found))
    }

    /// Tells nothing any more.
    ///
    /// Closing twice, or after the end, is no error.
    package func close() {
        if unsafe owner == nil { return }
        unsafe owner = nil
        // Of use only if no thread has begun with it; the callback comes in either case.
        _ = unsafe uv_cancel(
            UnsafeMutableRawPointer(request).assumingMemoryBound(to: uv_req_t.self)
        )
    }
}

@available(*, unavailable)
extension AddressLookup: Sendable {}
