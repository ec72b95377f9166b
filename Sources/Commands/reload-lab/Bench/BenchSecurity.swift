import CommandSupport
import Cryptography
import Glibc
import Platform
import Times

/// A certificate for a server under measurement, in files that are deleted at the end, and the
/// client's side of TLS.
final class BenchSecurity {
    /// The host that the certificate is for.
    static var host: String { "127.0.0.1" }
    /// The name of the router's protocol, as ALPN wants one.
    static var protocolName: String { "rr/1" }

    let client: TLSClientContext
    private let folder: String
    private let isMutual: Bool

    /// - Parameters:
    ///   - resumes: whether the client's sessions resume earlier ones.
    ///   - isMutual: whether the client, too, proves itself by a certificate.
    /// - Throws: `BenchFailure`, `SettingsProblem` or `TLSError`, if a file cannot be made.
    init(resumes: Bool = true, isMutual: Bool = false) throws {
        self.isMutual = isMutual
        var path = Array("/tmp/reload-router-bench-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&path) != nil else {
            throw BenchFailure("a folder cannot be created in /tmp")
        }
        folder = String(
            decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        let authority = try DevelopmentAuthority(named: "bench", now: .now, days: 1)
        let identity = try authority.issue(for: [Self.host], now: .now, days: 1)
        client = try TLSClientContext(
            trust: .authorities(authority.identity.chain),
            identity: isMutual ? try authority.issue(for: ["bench"], now: .now, days: 1) : nil,
            resumes: resumes,
            protocols: [Self.protocolName]
        )
        try write(authority.identity.chain, to: "ca.pem")
        try write(identity.chain, to: "cert.pem")
        try write(identity.key, to: "key.pem")
    }

    deinit {
        for name in ["ca.pem", "cert.pem", "key.pem"] { unsafe _ = unlink("\(folder)/\(name)") }
        unsafe _ = rmdir(folder)
    }

    /// The settings of the server.
    var flags: [String] {
        let own = ["--cert", "\(folder)/cert.pem", "--key", "\(folder)/key.pem"]
        return isMutual ? own + ["--client-ca", "\(folder)/ca.pem"] : own
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let path = "\(folder)/\(name)"
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        if file < 0 { throw SettingsProblem(unwritable: path) }
        defer { close(file) }
        if unsafe Glibc.write(file, bytes, bytes.count) != bytes.count {
            throw SettingsProblem(unwritable: path)
        }
    }
}
