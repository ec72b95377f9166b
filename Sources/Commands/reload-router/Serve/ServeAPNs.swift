import APNsConnections
import CommandSupport
import Cryptography
import DataStructures
import Platform
import RouterServer
import Times

/// Pushes by APNs of `serve`: where they go, and the files of the keys.
struct ServeAPNs {
    private let targets: (production: APNsTarget, sandbox: APNsTarget)
    private let folder: String?
    /// Makes what TLS sessions with APNs begin with, if the client proves itself; nil without TLS.
    private let makeContext: ((Identity) throws(TLSError) -> TLSClientContext)?

    /// Reads the settings.
    ///
    /// - Throws: `SettingsProblem`.
    init(_ settings: ServeSettings) throws {
        targets = try settings.apnsTargets()
        folder = try settings.apnsKeys()
        makeContext = try settings.apnsContexts()
    }

    /// The most file descriptors that it needs.
    var descriptors: Int { folder == nil ? 0 : APNsDelivery.descriptors }

    /// Lets the router push from its first tick on.
    ///
    /// - Parameter server: the router, which does not run yet.
    func start(_ server: Server) {
        server.deliverByAPNs(
            APNsDelivery.Settings(
                production: targets.production,
                sandbox: targets.sandbox,
                folder: folder,
                readKey: { [folder] in try Self.key($0, in: folder ?? ".") },
                readCertificate: { [folder, makeContext] in
                    try Self.certificate($0, in: folder ?? ".", makeContext: makeContext)
                }
            )
        )
    }

    /// Reads the file with a certificate and its key.
    private static func certificate(
        _ name: String,
        in folder: String,
        makeContext: ((Identity) throws(TLSError) -> TLSClientContext)?
    ) throws(SettingsProblem) -> APNsCertificate {
        let path = "\(folder)/Certificate_\(name).pem"
        guard let makeContext else {
            throw SettingsProblem("\(path) cannot be shown without TLS (apns-plaintext)")
        }
        var bytes = try SecretFile.key(path, of: "a certificate for APNs")
        defer { bytes.erase() }
        do throws(TLSError) {
            let certificate = try APNsCertificate(pem: bytes, makeContext: makeContext)
            if certificate.notAfter > .now { return certificate }
        } catch {
            throw SettingsProblem("a certificate for APNs is \(path): \(error)")
        }
        throw SettingsProblem("a certificate for APNs is \(path), which has expired")
    }

    /// Reads the file of a key, as Apple names it.
    private static func key(
        _ id: String,
        in folder: String
    ) throws(SettingsProblem) -> ProviderKey {
        let path = "\(folder)/AuthKey_\(id).p8"
        var bytes = try SecretFile.key(path, of: "a key for APNs")
        defer { bytes.erase() }
        do throws(TLSError) {
            return try ProviderKey(pem: bytes)
        } catch {
            throw SettingsProblem("a key for APNs is \(path): \(error)")
        }
    }
}
