internal import COpenSSL
package import DataStructures

/// SHA-256 and random bytes, by OpenSSL.
package enum SHA256 {
    /// The digest of some bytes.
    package static func digest(_ bytes: ByteView) -> SHA256Digest {
        var digest = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
        let status = unsafe EVP_Digest(
            bytes.address,
            bytes.count,
            &digest,
            nil,
            EVP_sha256(),
            nil
        )
        precondition(status == 1, "OpenSSL has SHA-256")
        return digest.withByteView { SHA256Digest($0) }
    }
}

/// Draws random bytes for secrets.
///
/// - Throws: `internalFailure`, if the system has no randomness.
package func randomBytes(_ count: Int) throws(TLSError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    if unsafe RAND_priv_bytes(&bytes, CInt(clamping: count)) != 1 { throw .last(.internalFailure) }
    return bytes
}
