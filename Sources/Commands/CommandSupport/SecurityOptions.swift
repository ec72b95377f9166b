import ArgumentParser
package import ReloadRouterClient

/// How a client command protects its connection to a router.
package struct SecurityOptions: ParsableArguments {
    @Flag(help: "Connect with TLS, as to every host that is not this machine.")
    var tls = false

    @Option(
        help: "With TLS, trust the authorities of this PEM file. (default: those of the system)",
        of: "file"
    )
    var ca: String?

    @Option(
        help: "With TLS, prove oneself by this certificate (PEM), whose key --key names.",
        of: "file"
    )
    var cert: String?

    @Option(help: "The private key of --cert (PEM).", of: "file")
    var key: String?

    @Flag(help: "With TLS, accept every certificate: anybody between can play the router.")
    var insecure = false

    @Flag(help: "Connect without TLS, even to another machine: anybody between reads the token.")
    var plaintext = false

    /// Makes options that the argument parser fills in.
    package init() {}

    /// Whether an option asks for TLS.
    package var wantsTLS: Bool { tls || ca != nil || cert != nil || insecure }
    /// Whether an option forbids TLS.
    package var forbidsTLS: Bool { plaintext }

    /// Refuses options that contradict each other.
    package func validate() throws {
        if plaintext && wantsTLS {
            throw ValidationError(
                "--plaintext is without TLS; --tls, --ca, --cert and --insecure ask for it"
            )
        }
        if (cert == nil) != (key == nil) {
            throw ValidationError("--cert and --key belong together: give both, or neither")
        }
        if insecure && (ca != nil || cert != nil) {
            throw ValidationError("--insecure trusts everybody: leave out --ca and --cert")
        }
    }

    /// Reads what was not given from a context.
    package mutating func complete(from context: CommandContext) {
        if plaintext || insecure { return }
        if !wantsTLS {
            let flag = context.members[.security]
            (tls, insecure, plaintext) = (flag == "tls", flag == "insecure", flag == "plaintext")
        }
        ca = ca ?? context.members[.ca]
        if cert == nil { (cert, key) = (context.members[.cert], context.members[.key]) }
    }

    /// What a context keeps of these options; `path` makes a path good from any folder.
    package func keep(in context: inout CommandContext, path: (String) -> String) {
        context.members[.security] =
            plaintext ? "plaintext" : insecure ? "insecure" : tls ? "tls" : nil
        for (member, file) in [(CommandContext.Member.ca, ca), (.cert, cert), (.key, key)] {
            context.members[member] = file.map(path)
        }
    }

    /// How to connect. `isTLS` says whether an address asks for TLS, or for none; nil if neither.
    package func security(isTLS: Bool? = nil) throws(SettingsProblem) -> ClientSecurity {
        if plaintext || isTLS == false { return .plaintext }
        if insecure { return .unverified }
        if !wantsTLS && isTLS == nil { return .automatic }
        var authorities: [UInt8]?
        if let ca { authorities = try SecretFile.certificate(ca, of: "--ca") }
        var certificate: ClientCertificate?
        if let cert, let key {
            certificate = ClientCertificate(
                chain: try SecretFile.certificate(cert, of: "--cert"),
                key: try SecretFile.key(key, of: "--key")
            )
        }
        return .tls(authorities: authorities, certificate: certificate)
    }
}
