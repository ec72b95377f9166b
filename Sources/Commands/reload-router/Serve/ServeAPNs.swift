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
        folder = try settings.value(\.apnsKeys)
        // Nothing is pushed without keys, and reading the system's authorities took three quarters
        // of a start's time.
        var trust = folder == nil ? TLSClientContext.Trust.nobody : .system
        if !isPlain, let file = try settings.value(\.apnsCA) {
            trust = .authorities(try SecretFile.certificate(file, of: "apns-ca"))
        }
        let makeContext = { [trust] (identity: Identity?) throws(TLSError) -> TLSClientContext in
            try TLSClientContext(trust: trust, identity: identity, protocols: ["h2"])
        }
        self.makeContext =
            isPlain
            ? nil
            : { (identity) throws(TLSError) in
                try makeContext(identity)
            }
        func target(_ row: KeyPath<SettingsTable, Setting<String>>) throws -> APNsTarget {
            let endpoint = try Self.endpoint(row, of: settings, isPlain: isPlain)
            do throws(TLSError) {
                let security = isPlain ? nil : try makeContext(nil)
                return APNsTarget(host: endpoint.host, port: endpoint.port, security: security)
            } catch {
                throw SettingsProblem("apns-ca: \(error)")
            }
        }
        production = try target(\.apnsProduction)
        sandbox = try target(\.apnsSandbox)
    }

    private static func endpoint(
        _ row: KeyPath<SettingsTable, Setting<String>>,
        of settings: ServeSettings,
        isPlain: Bool
    ) throws -> Endpoint {
        let setting = SettingsTable.shared[keyPath: row]
        let (name, text) = (setting.description.name, try settings.value(setting))
        guard let endpoint = Endpoint(text, defaultPort: 443) else {
            throw SettingsProblem(Endpoint.problem(text, of: name, suchAs: setting.defaultValue))
        }
        if !isPlain || endpoint.isLoopback { return endpoint }
        throw SettingsProblem(
            "apns-plaintext is for a mock on this machine, and \(name) is \(endpoint): give an "
                + "address of loopback there, too, such as 127.0.0.1:2197"
        )
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
