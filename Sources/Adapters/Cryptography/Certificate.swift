package import Basics
internal import COpenSSL

/// A certificate of OpenSSL (X.509).
@safe
package final class Certificate {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe X509_free(pointer) }

    /// All certificates of a PEM file, in its order. Throws `file`, if something in it that says
    /// that it is a certificate is none.
    package static func all(inPEM bytes: [UInt8]) throws(TLSError) -> [Certificate] {
        let file = try MemoryFile(bytes)
        var found: [Certificate] = []
        while let next = unsafe PEM_read_bio_X509(file.pointer, nil, tls_no_passphrase, nil) {
            found.append(unsafe Certificate(owning: next))
        }
        // The end of the file is an error for OpenSSL, too.
        if !is_end_of_pem(ERR_peek_last_error()) {
            throw .last(.file, doing: "a certificate (PEM) cannot be read")
        }
        ERR_clear_error()
        return found
    }

    /// The last moment at which it is valid.
    package var notAfter: WallTime {
        var time = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(X509_get0_notAfter(pointer), &time) == 1 else { return .max }
        return WallTime(rawValue: Int64(unsafe timegm(&time)) * 1_000)
    }

    /// Its alternative names that are DNS names or URIs, as `dns:NAME` and `uri:URI`. A name with
    /// a NUL is left out.
    package var names: [String] {
        guard let list = unsafe alternative_names(pointer) else { return [] }
        defer { unsafe free_names(list) }
        var found: [String] = []
        for index in 0..<(unsafe name_count(list)) {
            var (kind, count) = (CInt(0), CInt(0))
            var bytes: UnsafePointer<UInt8>?
            guard unsafe name_at(list, index, &kind, &bytes, &count), let bytes = unsafe bytes
            else { continue }
            let text = unsafe ByteView(base: bytes, count: Int(count)).array
            if text.contains(0) { continue }
            found.append(
                (kind == GEN_DNS ? "dns:" : "uri:") + String(decoding: text, as: UTF8.self)
            )
        }
        return found
    }

    /// Adds the certificates of a PEM file to those that a context trusts. Throws `file`, if there
    /// is none, or one cannot be used.
    static func trust(_ file: [UInt8], in context: OpaquePointer) throws(TLSError) {
        let authorities = try Certificate.all(inPEM: file)
        if authorities.isEmpty {
            throw TLSError(.file, message: "the authorities' file has no certificate (PEM)")
        }
        let store = unsafe SSL_CTX_get_cert_store(context)
        for authority in authorities
        where unsafe X509_STORE_add_cert(store, authority.pointer) != 1 {
            throw .last(.file, doing: "an authority's certificate cannot be used")
        }
    }

    /// The certificate as a PEM file.
    func pem() throws(TLSError) -> [UInt8] {
        let file = try MemoryFile()
        if unsafe PEM_write_bio_X509(file.pointer, pointer) != 1 { throw .last(.internalFailure) }
        return file.bytes
    }
}
