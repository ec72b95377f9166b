internal import Basics
internal import COpenSSL

/// A key with which a team proves itself to Apple's push service: it signs by ES256.
///
/// OpenSSL keeps the private number, and overwrites it when the last reference is gone.
package final class ProviderKey {
    private let key: PrivateKey

    /// Reads a key from the bytes of a file as Apple makes it, `AuthKey_….p8`: a private key of the
    /// curve P-256 (PKCS #8, PEM) without a passphrase. Throws `file`, if it is no such key.
    package init(pem: [UInt8]) throws(TLSError) {
        key = try PrivateKey(pem: pem)
        if unsafe !is_p256_key(key.pointer) {
            throw TLSError(.file, message: "the key is not one of the curve P-256")
        }
    }

    /// Whether both are the same key, from whatever files they were read.
    package func isSame(as other: ProviderKey) -> Bool {
        defer { ERR_clear_error() }
        return unsafe EVP_PKEY_eq(key.pointer, other.key.pointer) == 1
    }

    /// The signature of some bytes, as tokens have it: 64 bytes. It is the same each time (RFC
    /// 6979), so that a program that starts again can make the same token, which it has not stored.
    /// Throws `file` if the key cannot sign.
    package func sign(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] {
        defer { ERR_clear_error() }
        var signature = [UInt8](repeating: 0, count: 64)
        let isSigned = unsafe p256_sign_again(
            key.pointer,
            SHA256.algorithm,
            bytes,
            bytes.count,
            &signature
        )
        if !isSigned { throw .last(.file, doing: "the key cannot sign") }
        return signature
    }
}
