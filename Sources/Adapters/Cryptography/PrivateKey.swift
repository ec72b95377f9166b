internal import Basics
internal import COpenSSL

/// A private key of OpenSSL.
@safe
final class PrivateKey {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    /// Reads a key from the bytes of its PEM file. Throws `file`, also for a key with a passphrase.
    init(pem: [UInt8]) throws(TLSError) {
        let file = try MemoryFile(pem)
        guard let key = unsafe PEM_read_bio_PrivateKey(file.pointer, nil, tls_no_passphrase, nil)
        else {
            throw .last(
                .file,
                doing: "no private key without a passphrase (PEM) is in the key's file"
            )
        }
        unsafe pointer = unsafe key
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// The key as a PEM file, without a passphrase.
    func pem() throws(TLSError) -> [UInt8] {
        let file = try MemoryFile()
        if unsafe PEM_write_bio_PrivateKey(file.pointer, pointer, nil, nil, 0, nil, nil) != 1 {
            throw .last(.internalFailure)
        }
        return file.bytes
    }
}

/// A file in memory, as OpenSSL's functions for files want one.
@safe
final class MemoryFile {
    let pointer: OpaquePointer

    /// An empty file, to be written.
    init() throws(TLSError) {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .last(.internalFailure) }
        unsafe pointer = unsafe bio
    }

    /// A file to be read.
    convenience init(_ bytes: [UInt8]) throws(TLSError) {
        try self.init()
        let count = unsafe BIO_write(pointer, bytes, CInt(clamping: bytes.count))
        if Int(count) != bytes.count && !bytes.isEmpty { throw .last(.internalFailure) }
    }

    deinit { unsafe BIO_free(pointer) }

    /// What has been written and not read.
    var bytes: [UInt8] {
        var memory: UnsafeMutablePointer<CChar>?
        let count = unsafe memory_bytes(pointer, &memory)
        guard let memory = unsafe memory, count > 0 else { return [] }
        return unsafe ByteView(base: memory, count: count).array
    }
}
