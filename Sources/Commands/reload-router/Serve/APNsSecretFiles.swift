import Basics
import CommandSupport
import Cryptography
import Platform
import RouterServer

/// The files with the keys and certificates of apps that APNs reaches.
///
/// A change of the app file asks for all of them, on the loop's thread, and to decode a key takes
/// OpenSSL a ms. So a file that has not changed since it was read is not read again.
final class APNsSecretFiles {
    /// A secret that is in use; what is not any more is not kept in memory for this.
    private struct Known<Secret: AnyObject> {
        let version: SecretFileVersion
        weak var secret: Secret?
    }

    private let folder: String
    /// Makes what TLS sessions with APNs begin with, if the client proves itself; nil without TLS.
    private let makeContext: ((Identity) throws(TLSError) -> TLSClientContext)?
    private let now: () -> WallTime
    private var keys: [String: Known<ProviderKey>] = [:]
    private var certificates: [String: Known<APNsCertificate>] = [:]

    init(
        _ folder: String,
        makeContext: ((Identity) throws(TLSError) -> TLSClientContext)?,
        now: @escaping () -> WallTime = { .now }
    ) {
        self.folder = folder
        self.makeContext = makeContext
        self.now = now
    }

    /// The key with an id, whose file Apple names so.
    func key(_ id: String) throws(SettingsProblem) -> ProviderKey {
        let path = "\(folder)/AuthKey_\(id).p8"
        return try secret(path, as: "a key for APNs", named: id, in: &keys) {
            (bytes) throws(TLSError) in
            try ProviderKey(pem: bytes)
        }
    }

    /// The certificate with a name, from the file that has its key, too.
    func certificate(_ name: String) throws(SettingsProblem) -> APNsCertificate {
        let path = "\(folder)/Certificate_\(name).pem"
        guard let makeContext else {
            throw SettingsProblem("\(path) cannot be shown without TLS (apns-plaintext)")
        }
        let what = "a certificate for APNs"
        let certificate = try secret(path, as: what, named: name, in: &certificates) {
            (bytes) throws(TLSError) in
            try APNsCertificate(pem: bytes, makeContext: makeContext)
        }
        if certificate.notAfter > now() { return certificate }
        throw SettingsProblem("\(what) is \(path), which has expired")
    }

    /// What a file has: as it was read the last time, if it has not changed since.
    private func secret<Secret: AnyObject>(
        _ path: String,
        as what: String,
        named name: String,
        in known: inout [String: Known<Secret>],
        make: (_ bytes: [UInt8]) throws(TLSError) -> Secret
    ) throws(SettingsProblem) -> Secret {
        let version = SecretFileVersion(path: path, now: now())
        if let entry = known[name], entry.version == version, let secret = entry.secret {
            return secret
        }
        known[name] = nil
        var bytes = try SecretFile.key(path, of: what, from: .files)
        defer { bytes.erase() }
        do throws(TLSError) {
            let secret = try make(bytes)
            if let version { known[name] = Known(version: version, secret: secret) }
            return secret
        } catch {
            throw SettingsProblem("\(what) is \(path): \(error)")
        }
    }
}
