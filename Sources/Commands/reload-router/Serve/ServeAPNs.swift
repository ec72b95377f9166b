import APNsConnections
import Basics
import CommandSupport
import Cryptography
import LibuvLoop
import Platform
import RouterServer

/// Pushes by APNs of `serve`: where they go, and the files of the keys.
struct ServeAPNs {
    /// Where pushes go of apps from the App Store, and of those that Xcode has installed.
    private let production, sandbox: APNsTarget
    private let folder: String?
    /// Makes what TLS sessions with APNs begin with, if the client proves itself; nil without TLS.
    private let makeContext: ((Identity) throws(TLSError) -> TLSClientContext)?

    /// Throws `SettingsProblem`, also if it would be pushed without TLS to another machine.
    init(_ settings: ServeSettings) throws {
        let isPlain = try settings.value(\.apnsPlaintext)
        let trust: TLSClientContext.Trust =
            try settings.value(\.apnsCA).map {
                .authorities(try SecretFile.certificate($0, of: "apns-ca"))
            } ?? .system
        func context(
            _ identity: Identity? = nil
        ) throws(TLSError) -> TLSClientContext {
            try TLSClientContext(trust: trust, identity: identity, protocols: ["h2"])
        }
        makeContext = isPlain ? nil : { (identity) throws(TLSError) in try context(identity) }
        let security: TLSClientContext?
        do throws(TLSError) {
            security = isPlain ? nil : try context()
        } catch {
            throw SettingsProblem("apns-ca: \(error)")
        }
        production = try Self.target(\.apnsProduction, of: settings, security: security)
        sandbox = try Self.target(\.apnsSandbox, of: settings, security: security)
        folder = try settings.value(\.apnsKeys)
    }

    private static func target(
        _ row: KeyPath<SettingsTable, Setting<String>>,
        of settings: ServeSettings,
        security: TLSClientContext?
    ) throws -> APNsTarget {
        let setting = SettingsTable.shared[keyPath: row]
        let (name, text) = (setting.description.name, try settings.value(setting))
        guard let endpoint = Endpoint(text, defaultPort: 443) else {
            throw SettingsProblem(Endpoint.problem(text, of: name, suchAs: setting.defaultValue))
        }
        if security == nil && !endpoint.isLoopback {
            throw SettingsProblem(
                "apns-plaintext is for a mock on this machine, and \(name) is \(endpoint): give an "
                    + "address of loopback there, too, such as 127.0.0.1:2197"
            )
        }
        return APNsTarget(host: endpoint.host, port: endpoint.port, security: security)
    }

    /// The most file descriptors that it needs.
    var descriptors: Int { folder == nil ? 0 : APNsDelivery.descriptors }

    /// Lets the router, which does not run yet, push from its first tick on.
    func start(_ server: Server) {
        let files = APNsSecretFiles(folder ?? ".", makeContext: makeContext)
        server.deliverByAPNs(
            APNsDelivery.Settings(
                production: production,
                sandbox: sandbox,
                folder: folder,
                readKey: { try files.key($0) },
                readCertificate: { try files.certificate($0) }
            )
        )
    }
}
