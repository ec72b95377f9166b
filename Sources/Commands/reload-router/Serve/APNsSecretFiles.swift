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
        return try secret(path, named: id, in: &keys) { (path) throws(SettingsProblem) in
            var bytes = try SecretFile.key(path, of: "a key for APNs", from: .files)
            defer { bytes.erase() }
            do throws(TLSError) {
                return try ProviderKey(pem: bytes)
            } catch {
                throw SettingsProblem("a key for APNs is \(path): \(error)")
            }
        }
    }

    /// The certificate with a name, from the file that has its key, too.
    func certificate(_ name: String) throws(SettingsProblem) -> APNsCertificate {
        let path = "\(folder)/Certificate_\(name).pem"
        guard let makeContext else {
            throw SettingsProblem("\(path) cannot be shown without TLS (apns-plaintext)")
        }
        let certificate = try secret(path, named: name, in: &certificates) {
            (path) throws(SettingsProblem) in
            var bytes = try SecretFile.key(
                path,
                of: "a certificate for APNs",
                from: .files
            )
            defer { bytes.erase() }
            do throws(TLSError) {
                return try APNsCertificate(pem: bytes, makeContext: makeContext)
            } catch {
                throw SettingsProblem("a certificate for APNs is \(path): \(error)")
            }
        }
        if certificate.notAfter > now() { return certificate }
        throw SettingsProblem("a certificate for APNs is \(path), which has expired")
    }

    /// What a file has: as it was read the last time, if it has not changed since.
    private func secret<Secret: AnyObject>(
        _ path: String,
        named name: String,
        in known: inout [String: Known<Secret>],
        read: (_ path: String) throws(SettingsProblem) -> Secret
    ) throws(SettingsProblem) -> Secret {
        let version = SecretFileVersion(path: path, now: now())
        if let entry = known[name], entry.version == version, let secret = entry.secret {
            return secret
        }
        known[name] = nil
        let secret = try read(path)
        if let version { known[name] = Known(version: version, secret: secret) }
        return secret
    }
}

@available(*, unavailable)
extension APNsSecretFiles: Sendable {}
