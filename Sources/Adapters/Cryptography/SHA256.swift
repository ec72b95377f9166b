package import Basics
internal import COpenSSL

/// SHA-256 and random bytes, by OpenSSL.
package enum SHA256 {
    /// OpenSSL's implementation, looked up once for the process and never freed: OpenSSL 3 would
    /// otherwise look it up by its name each time, which takes longer than to digest a token.
    nonisolated(unsafe) static let algorithm: OpaquePointer = {
        // Unsafe: a pointer; constant once made, and OpenSSL only reads what it points to.
        guard let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
            preconditionFailure("OpenSSL has SHA-256")
        }
        return unsafe algorithm
    }()

    /// The digest of some bytes.
    package static func digest(_ bytes: ByteView) -> SHA256Digest {
        unsafe withUnsafeTemporaryAllocation(byteCount: SHA256Digest.byteCount, alignment: 8) {
            let digest = $0.baseAddress!
            let status = unsafe EVP_Digest(
                bytes.address,
                bytes.count,
                digest.assumingMemoryBound(to: UInt8.self),
                nil,
                algorithm,
                nil
            )
            precondition(status == 1, "OpenSSL has SHA-256")
            return unsafe SHA256Digest(ByteView(base: digest, count: SHA256Digest.byteCount))
        }
    }

    /// Whether bytes are what `code` returns; the time does not depend on where they differ.
    static func isCode(_ code: ByteView, of bytes: ByteView, secret: Secret) -> Bool {
        if code.count != SHA256Digest.byteCount { return false }
        return self.code(of: bytes, secret: secret).withByteView { own in
            unsafe CRYPTO_memcmp(own.address, code.address, own.count) == 0
        }
    }

    /// The code by which those who have a secret recognise bytes (HMAC, RFC 2104).
    package static func code(of bytes: ByteView, secret: Secret) -> Secret {
        unsafe Secret(capacity: SHA256Digest.byteCount) { code in
            let isMade = secret.withByteView { secret in
                unsafe hmac(
                    algorithm,
                    secret.address.assumingMemoryBound(to: UInt8.self),
                    secret.count,
                    bytes.address.assumingMemoryBound(to: UInt8.self),
                    bytes.count,
                    code.assumingMemoryBound(to: UInt8.self)
                )
            }
            precondition(isMade, "OpenSSL has SHA-256")
            return SHA256Digest.byteCount
        }
    }
}

/// Draws random bytes for secrets. Throws `internalFailure`, if the system has no randomness.
package func randomBytes(_ count: Int) throws(TLSError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    if unsafe RAND_priv_bytes(&bytes, CInt(clamping: count)) != 1 { throw .last(.internalFailure) }
    return bytes
}
