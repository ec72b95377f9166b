package import Basics
package import Cryptography

/// A certificate by which an app proves itself to APNs: the older way, without provider tokens.
///
/// Each of Apple's services has sessions of its own, so that none resumes another's.
package final class APNsCertificate {
    /// When it expires.
    package let notAfter: WallTime
    private let digest: SHA256Digest
    private let production: TLSClientContext
    private let sandbox: TLSClientContext

    /// Reads a file with a certificate and its private key (PEM). `makeContext` makes what TLS
    /// sessions begin with, in which the client proves itself.
    ///
    /// - Throws: `file`, if they are not usable.
    package init(
        pem: [UInt8],
        makeContext: (Identity) throws(TLSError) -> TLSClientContext
    ) throws(TLSError) {
        let identity = Identity(chain: pem, key: pem)
        production = try makeContext(identity)
        sandbox = try makeContext(identity)
        digest = pem.withByteView { SHA256.digest($0) }
        // A context refuses an identity without a certificate.
        notAfter = try Certificate.all(inPEM: pem).first?.notAfter ?? .zero
    }

    /// What sessions with one of Apple's services begin with.
    func security(for environment: APNsEnvironment) -> TLSClientContext {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        }
    }

    /// Whether both were read from the same bytes.
    func isSame(as other: APNsCertificate) -> Bool { digest == other.digest }
}
