package import Basics
internal import COpenSSL

/// An authority that signs certificates for trials on machines of one's own; its key is a file.
@safe
package final class DevelopmentAuthority {
    private let certificate: Certificate
    private let key: PrivateKey

    /// Makes an authority with a new key (ECDSA, P-256), whose certificate is valid from `now` on.
    /// Throws `internalFailure`.
    package init(named name: String, now: WallTime, days: Int) throws(TLSError) {
        key = try Self.newKey()
        certificate = try Self.certificate(
            of: key,
            named: name,
            now: now,
            days: days,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ],
            signedBy: nil
        )
    }

    /// An authority whose certificate and key were kept in files. Throws `file`.
    package init(_ identity: Identity) throws(TLSError) {
        guard let own = try Certificate.all(inPEM: identity.chain).first else {
            throw TLSError(.file, message: "the authority's file has no certificate (PEM)")
        }
        certificate = own
        key = try PrivateKey(pem: identity.key)
        if unsafe X509_check_private_key(own.pointer, key.pointer) != 1 {
            throw .last(.file, doing: "the key is not the authority's")
        }
    }

    /// Its certificate and key, to be kept in files.
    package var identity: Identity {
        get throws(TLSError) { Identity(chain: try certificate.pem(), key: try key.pem()) }
    }

    /// Makes a certificate with a new key, for a server or a client: for one or more DNS names, and
    /// IP addresses as text. Throws `internalFailure`, if one of the names is none.
    package func issue(for names: [String], now: WallTime, days: Int) throws(TLSError) -> Identity {
        let key = try Self.newKey()
        let alternatives = names.map { Self.isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }
        let certificate = try Self.certificate(
            of: key,
            named: names[0],
            now: now,
            days: days,
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth,clientAuth"),
                (NID_subject_alt_name, alternatives.joined(separator: ",")),
                (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid"),
            ],
            signedBy: (self.certificate, self.key)
        )
        return Identity(chain: try certificate.pem(), key: try key.pem())
    }

    private static func newKey() throws(TLSError) -> PrivateKey {
        guard let key = unsafe new_signing_key() else { throw .last(.internalFailure) }
        return unsafe PrivateKey(owning: key)
    }

    private static func isAddress(_ name: String) -> Bool {
        guard let address = unsafe a2i_IPADDRESS(name) else {
            ERR_clear_error()
            return false
        }
        unsafe ASN1_OCTET_STRING_free(address)
        return true
    }

    /// Makes a certificate, signed by `issuer` or, if that is nil, with its own key.
    private static func certificate(
        of key: PrivateKey,
        named name: String,
        now: WallTime,
        days: Int,
        extensions: [(kind: CInt, value: String)],
        signedBy issuer: (certificate: Certificate, key: PrivateKey)?
    ) throws(TLSError) -> Certificate {
        guard let pointer = unsafe X509_new() else { throw .last(.internalFailure) }
        let made = unsafe Certificate(owning: pointer)
        let signer = issuer?.certificate ?? made
        var serial = [UInt8](repeating: 0, count: 16)
        var isMade = unsafe RAND_bytes(&serial, 16) == 1
        serial[0] &= 0x7f
        let begin = time_t(now.rawValue / 1_000)
        let number = unsafe BN_bin2bn(serial, 16, nil)
        let subject = unsafe X509_get_subject_name(pointer)
        isMade =
            unsafe isMade && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil
            && X509_set_version(pointer, 2) == 1
            && ASN1_TIME_set(X509_getm_notBefore(pointer), begin) != nil
            && ASN1_TIME_set(X509_getm_notAfter(pointer), begin + days * 86_400) != nil
            && X509_set_pubkey(pointer, key.pointer) == 1
            && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1
            && X509_set_issuer_name(pointer, X509_get_subject_name(signer.pointer)) == 1
        unsafe BN_free(number)
        for (kind, value) in extensions where isMade {
            isMade = unsafe add_extension(pointer, signer.pointer, kind, value)
        }
        let signingKey = issuer?.key ?? key
        if unsafe !isMade || X509_sign(pointer, signingKey.pointer, EVP_sha256()) == 0 {
            throw .last(.internalFailure, doing: "no certificate for \(name) can be made")
        }
        return made
    }
}
