internal import Basics
internal import COpenSSL

/// A certificate with the chain that leads to its authority, and its private key, as in two PEM
/// files.
package struct Identity: Sendable {
    /// The certificates, the own one first.
    package var chain: [UInt8]
    /// The private key, without a passphrase.
    package var key: [UInt8]

    /// An identity from the bytes of its two PEM files.
    package init(chain: [UInt8], key: [UInt8]) {
        self.chain = chain
        self.key = key
    }

    /// Makes a context prove itself by this identity. Throws `file`, if a file is not PEM, or the
    /// key is not the certificate's.
    func use(in context: OpaquePointer) throws(TLSError) {
        let certificates = try Certificate.all(inPEM: chain)
        guard let own = certificates.first else {
            throw TLSError(.file, message: "the certificate's file has no certificate (PEM)")
        }
        if unsafe SSL_CTX_use_certificate(context, own.pointer) != 1 {
            throw .last(.file, doing: "the certificate cannot be used")
        }
        for other in certificates.dropFirst() {
            // The context owns what it gets here.
            unsafe X509_up_ref(other.pointer)
            if unsafe SSL_CTX_ctrl(context, SSL_CTRL_EXTRA_CHAIN_CERT, 0, .init(other.pointer)) != 1
            {
                unsafe X509_free(other.pointer)
                throw .last(.file, doing: "the certificate's chain cannot be used")
            }
        }
        let key = try PrivateKey(pem: key)
        if unsafe SSL_CTX_use_PrivateKey(context, key.pointer) != 1 {
            throw .last(.file, doing: "the key cannot be used")
        }
        if unsafe SSL_CTX_check_private_key(context) != 1 {
            throw .last(.file, doing: "the key is not the certificate's")
        }
    }
}
