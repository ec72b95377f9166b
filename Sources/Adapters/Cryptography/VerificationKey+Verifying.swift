package import Basics
internal import COpenSSL
package import Credentials

/// Verifies signed tokens.
extension VerificationKey {
    /// Whether a token's signature is that of this key. HS256 takes about as long as a hash, the
    /// others tens of microseconds.
    package func verifies(_ token: SignedToken) -> Bool {
        token.signature.withByteView { signature in
            token.withSignedBytes { verifies(signature, of: $0) }
        }
    }

    /// Whether a signature is that of some bytes by this key.
    package func verifies(_ signature: ByteView, of bytes: ByteView) -> Bool {
        switch self {
        case .hs256(let secret): return SHA256.isCode(signature, of: bytes, secret: secret)
        case .eddsa(let publicKey):
            defer { ERR_clear_error() }
            guard
                let key = unsafe EVP_PKEY_new_raw_public_key(
                    EVP_PKEY_ED25519,
                    nil,
                    publicKey,
                    publicKey.count
                )
            else { return false }
            return unsafe PrivateKey(owning: key).verifies(signature, of: bytes, digest: nil)
        case .es256(let x, let y):
            defer { ERR_clear_error() }
            guard signature.count == 64, let key = unsafe p256_key([4] + x + y, nil) else {
                return false
            }
            let der = unsafe Secret(capacity: 72) { memory in
                unsafe Int(
                    p256_signature_to_der(
                        signature.address.assumingMemoryBound(to: UInt8.self),
                        memory.assumingMemoryBound(to: UInt8.self)
                    )
                )
            }
            return der.withByteView {
                unsafe PrivateKey(owning: key).verifies($0, of: bytes, digest: EVP_sha256())
            }
        }
    }

    /// Whether signatures can be verified with the key: it must be a point of its curve, and for
    /// Ed25519 not one of small order, with which one signature would fit any token.
    package var isUsable: Bool {
        defer { ERR_clear_error() }
        switch self {
        case .hs256: return true
        case .eddsa(let publicKey):
            return unsafe publicKey.count == 32 && ed25519_is_usable(publicKey)
        case .es256(let x, let y):
            guard let key = unsafe p256_key([4] + x + y, nil) else { return false }
            _ = unsafe PrivateKey(owning: key)
            return true
        }
    }

    /// A key for each algorithm, whose secret part is thrown away. Throws `internalFailure`.
    package static func decoys() throws(TLSError) -> [VerificationKey] {
        var keys: [VerificationKey] = []
        for algorithm in ["HS256", "EdDSA", "ES256"] {
            keys.append(try SigningKey.new(algorithm)!.verification)
        }
        return keys
    }
}

/// Makes keys that sign tokens, and signs with them.
extension SigningKey {
    /// Makes a key for `HS256`, `EdDSA` or `ES256`; nil for another algorithm. Throws
    /// `internalFailure`.
    package static func new(_ algorithm: String) throws(TLSError) -> SigningKey? {
        switch algorithm {
        case "HS256":
            let secret = try randomBytes(VerificationKey.leastSecret)
            return SigningKey(verification: .hs256(secret: Secret(secret)), secret: [])
        case "EdDSA":
            guard let pointer = unsafe new_ed25519_key() else { throw .last(.internalFailure) }
            let key = unsafe PrivateKey(owning: pointer)
            var (secret, publicKey) = (
                [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32)
            )
            var (first, second) = (32, 32)
            let isRead =
                unsafe EVP_PKEY_get_raw_private_key(key.pointer, &secret, &first) == 1
                && EVP_PKEY_get_raw_public_key(key.pointer, &publicKey, &second) == 1
            if !isRead { throw .last(.internalFailure) }
            return SigningKey(verification: .eddsa(publicKey: publicKey), secret: secret)
        case "ES256":
            guard let pointer = unsafe new_signing_key() else { throw .last(.internalFailure) }
            let key = unsafe PrivateKey(owning: pointer)
            var x = [UInt8](repeating: 0, count: 32)
            var (y, secret) = (x, x)
            if unsafe !p256_numbers(key.pointer, &x, &y, &secret) { throw .last(.internalFailure) }
            return SigningKey(verification: .es256(x: x, y: y), secret: secret)
        default: return nil
        }
    }

    /// Makes a signed token in its compact form; `keyID` is the id of the credential in the app
    /// file that has the key. Throws `file`, if the key is none; `internalFailure`.
    package func token(_ claims: TokenClaims, keyID: String?) throws(TLSError) -> String {
        let bytes = signedBytes(claims, keyID: keyID)
        let signature = try sign(bytes)
        return "\(String(decoding: bytes, as: UTF8.self)).\(encodeBase64URL(signature))"
    }

    private func sign(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] {
        switch verification {
        case .hs256(let secret):
            return bytes.withByteView { bytes in
                SHA256.code(of: bytes, secret: secret).withByteView { $0.array }
            }
        case .eddsa:
            guard
                let key = unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, 32)
            else { throw .last(.file, doing: "the key cannot sign") }
            return try unsafe PrivateKey(owning: key).sign(bytes, digest: nil)
        case .es256(let x, let y):
            guard let key = unsafe p256_key([4] + x + y, secret) else {
                throw .last(.file, doing: "the key cannot sign")
            }
            return try unsafe PrivateKey(owning: key).signES256(bytes)
        }
    }
}

extension PrivateKey {
    /// Whether a signature, in OpenSSL's own form, is that of some bytes.
    fileprivate func verifies(
        _ signature: ByteView,
        of bytes: ByteView,
        digest: OpaquePointer?
    ) -> Bool {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe EVP_DigestVerifyInit(context, nil, digest, nil, pointer) == 1
            && EVP_DigestVerify(
                context,
                signature.address.assumingMemoryBound(to: UInt8.self),
                signature.count,
                bytes.address.assumingMemoryBound(to: UInt8.self),
                bytes.count
            ) == 1
    }

    /// Signs some bytes with a key of P-256; the signature is two numbers of 32 bytes, as tokens
    /// have it.
    func signES256(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] {
        let der = try unsafe sign(bytes, digest: EVP_sha256())
        var raw = [UInt8](repeating: 0, count: 64)
        if unsafe !p256_signature_from_der(der, der.count, &raw) { throw .last(.internalFailure) }
        return raw
    }

    /// Signs some bytes; the signature is in OpenSSL's own form.
    fileprivate func sign(_ bytes: [UInt8], digest: OpaquePointer?) throws(TLSError) -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 128)
        var count = signature.count
        let isSigned =
            unsafe EVP_DigestSignInit(context, nil, digest, nil, pointer) == 1
            && EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
        if !isSigned { throw .last(.file, doing: "the key cannot sign") }
        return Array(signature.prefix(count))
    }
}
