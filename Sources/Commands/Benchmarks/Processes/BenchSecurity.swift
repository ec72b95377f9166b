import Basics
import Cryptography
import Glibc
import LoadReporting
import Platform

/// A certificate for a server under measurement, in files that are deleted at the end, and the
/// client's side of TLS.
final class BenchSecurity {
    static var host: String { "127.0.0.1" }
    /// The name of the router's protocol, as ALPN wants one.
    static var protocolName: String { "rr/1" }

    let client: TLSClientContext
    private let folder: TemporaryFolder
    private let isMutual: Bool

    /// Makes a certificate. The client's sessions resume earlier ones if `resumes`, and it proves
    /// itself by a certificate, too, if `isMutual`.
    init(resumes: Bool = true, isMutual: Bool = false) throws {
        self.isMutual = isMutual
        folder = try TemporaryFolder(in: "/tmp")
        let authority = try DevelopmentAuthority(named: "bench", now: .now, days: 1)
        let identity = try authority.issue(for: [Self.host], now: .now, days: 1)
        client = try TLSClientContext(
            trust: .authorities(authority.identity.chain),
            identity: isMutual ? try authority.issue(for: ["bench"], now: .now, days: 1) : nil,
            resumes: resumes,
            protocols: [Self.protocolName]
        )
        let files = try [
            ("ca.pem", authority.identity.chain), ("cert.pem", identity.chain),
            ("key.pem", identity.key),
        ]
        for (name, bytes) in files {
            try ReportFile.write(String(decoding: bytes, as: UTF8.self), to: folder(name))
            unsafe _ = chmod(folder(name), 0o600)
        }
    }

    /// The certificate, its key and, if clients have certificates, too, their authority.
    var files: [String] {
        [folder("cert.pem"), folder("key.pem")] + (isMutual ? [folder("ca.pem")] : [])
    }

    var flags: [String] {
        zip(["--cert", "--key", "--client-ca"], files).flatMap { [$0, $1] }
    }
}
