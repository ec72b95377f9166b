import APNsConnections
import Basics
import CommandSupport
import Cryptography
import Platform
import RouterServer

/// Pushes by APNs of `serve`: where they go, and the files of the keys.
struct ServeAPNs {
    private let targets: (production: APNsTarget, sandbox: APNsTarget)
    private let folder: String?
    /// Makes what TLS sessions with APNs begin with, if the client proves itself; nil without TLS.
    private let makeContext: ((Identity) throws(TLSError) -> TLSClientContext)?

    init(_ settings: ServeSettings) throws {
        targets = try settings.apnsTargets()
        folder = try settings.value(\.apnsKeys)
        makeContext = try settings.apnsContexts()
    }

    /// The most file descriptors that it needs.
    var descriptors: Int { folder == nil ? 0 : APNsDelivery.descriptors }

    /// Lets the router, which does not run yet, push from its first tick on.
    func start(_ server: Server) {
        let files = APNsSecretFiles(folder ?? ".", makeContext: makeContext)
        server.deliverByAPNs(
            APNsDelivery.Settings(
                production: targets.production,
                sandbox: targets.sandbox,
                folder: folder,
                readKey: { try files.key($0) },
                readCertificate: { try files.certificate($0) }
            )
        )
    }
}
