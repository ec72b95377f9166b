import APNsConnections
import CommandSupport
import Cryptography
import LibuvLoop

/// The settings of pushes by APNs.
extension ServeSettings {
    /// Where pushes go: to apps of the App Store, and to those that Xcode has installed.
    ///
    /// - Throws: `SettingsProblem`, if an address is none, or if it would be pushed to without TLS
    ///   though it is not on this machine.
    func apnsTargets() throws -> (production: APNsTarget, sandbox: APNsTarget) {
        (production: try target(\.apnsProduction), sandbox: try target(\.apnsSandbox))
    }

    private func target(_ row: KeyPath<SettingsTable, Setting<String>>) throws -> APNsTarget {
        let setting = SettingsTable.shared[keyPath: row]
        let (name, text) = (setting.description.name, try value(setting))
        guard let endpoint = Endpoint(text, defaultPort: 443) else {
            throw SettingsProblem(Endpoint.problem(text, of: name, suchAs: setting.defaultValue))
        }
        let isPlain = try value(\.apnsPlaintext)
        if isPlain && !endpoint.isLoopback {
            throw SettingsProblem(
                "apns-plaintext is for a mock on this machine, and \(name) is \(endpoint): give an "
                    + "address of loopback there, too, such as 127.0.0.1:2197"
            )
        }
        return APNsTarget(
            host: endpoint.host,
            port: endpoint.port,
            security: isPlain ? nil : try apnsSecurity()
        )
    }

    /// Makes what sessions begin with in which the router shows a certificate; nil without TLS.
    func apnsContexts() throws -> ((Identity) throws(TLSError) -> TLSClientContext)? {
        if try value(\.apnsPlaintext) { return nil }
        let trust = try apnsTrust()
        return { (identity) throws(TLSError) in
            try TLSClientContext(trust: trust, identity: identity, protocols: ["h2"])
        }
    }

    private func apnsTrust() throws -> TLSClientContext.Trust {
        guard let file = try value(\.apnsCA) else { return .system }
        return .authorities(try SecretFile.certificate(file, of: "apns-ca"))
    }

    /// What sessions with an address begin with.
    private func apnsSecurity() throws -> TLSClientContext {
        let trust = try apnsTrust()
        do throws(TLSError) {
            return try TLSClientContext(trust: trust, protocols: ["h2"])
        } catch {
            throw SettingsProblem("apns-ca: \(error)")
        }
    }
}
