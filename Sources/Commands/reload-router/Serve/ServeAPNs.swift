import APNsConnections
import CommandSupport
import Cryptography
import DataStructures
import RouterServer

/// Pushes by APNs of `serve`: where they go, and the files of the keys.
struct ServeAPNs {
    private let targets: (production: APNsTarget, sandbox: APNsTarget)
    private let folder: String?

    /// Reads the settings.
    ///
    /// - Throws: `SettingsProblem`.
    init(_ settings: ServeSettings) throws {
        targets = try settings.apnsTargets()
        folder = try settings.apnsKeys()
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
                readKey: { [folder] in try Self.key($0, in: folder ?? ".") }
            )
        )
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
