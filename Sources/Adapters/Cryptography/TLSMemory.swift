internal import Basics
internal import COpenSSL

/// The memory through which the sessions of one thread read and write; see `tls_memory`.
///
/// A session's input and output are in it only during a call, so that all sessions share it.
@safe
final class TLSMemory {
    /// The kind of BIO that reads and writes through such a memory.
    private static let method = MemoryMethod()

    let pointer = UnsafeMutablePointer<tls_memory>.allocate(capacity: 1)
    /// True while output is passed on, and no session may write.
    private var isLent = false

    init() { unsafe pointer.initialize(to: tls_memory()) }

    deinit {
        unsafe free(pointer.pointee.output)
        unsafe pointer.deallocate()
    }

    /// Makes an OpenSSL session read and write through this memory.
    func connect(_ session: OpaquePointer) throws(TLSError) {
        if unsafe !tls_use_memory(session, Self.method.pointer, pointer) {
            throw .last(.internalFailure)
        }
    }

    /// Gives sessions these bytes as their input; valid only during `body`.
    func withInput<Result>(_ bytes: ByteView, body: () -> Result) -> Result {
        unsafe assert(pointer.pointee.input_count == 0, "a session has left input")
        unsafe pointer.pointee.input = unsafe bytes.address.assumingMemoryBound(to: UInt8.self)
        unsafe pointer.pointee.input_count = bytes.count
        defer {
            unsafe pointer.pointee.input = nil
            unsafe pointer.pointee.input_count = 0
        }
        return body()
    }

    /// The bytes of input that no session has read.
    var unreadByteCount: Int { unsafe pointer.pointee.input_count }

    /// Passes on what a session has written for the network, and forgets it.
    func takeOutput(_ body: (ByteView) -> Void) {
        requireUnlent()
        let count = unsafe pointer.pointee.output_count
        if count == 0 { return }
        unsafe pointer.pointee.output_count = 0
        isLent = true
        body(unsafe ByteView(base: pointer.pointee.output, count: count))
        isLent = false
    }

    /// Traps while output is passed on: what a session writes would replace it.
    func requireUnlent() { precondition(!isLent, "a session is used while output is passed on") }
}

/// OpenSSL's description of the BIO; made once for the process and never freed.
@safe
private struct MemoryMethod: @unchecked Sendable {
    // Unchecked: constant once made, and OpenSSL only reads it.
    let pointer: OpaquePointer

    init() {
        guard let method = unsafe tls_memory_method() else { fatalError("no memory is left") }
        unsafe pointer = unsafe method
    }
}
