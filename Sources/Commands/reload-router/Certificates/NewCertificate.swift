import ArgumentParser
import Basics
import CommandSupport
import Cryptography
import Glibc
import Platform

/// `cert new`: makes a certificate with its key, signed by an authority of one's own, which is made
/// the first time.
struct NewCertificate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make a certificate for trials, and an authority that has signed it.",
        discussion: """
            Writes four files: ca.pem, which clients trust, ca-key.pem, cert.pem and key.pem. An \
            authority that is in the folder already is used again, so that clients need not be told: \
            then send the router SIGHUP. These are for development; in production, use the \
            authority that your other servers use.
            """
    )

    @Option(help: "The folder for the files; made if needed.", of: "folder")
    var out = "certificates"

    @Option(help: "How long the certificate is valid.")
    var days = 90

    @Argument(help: "DNS names and IP addresses of the server, or a name for a client.")
    var names = ["localhost", "127.0.0.1", "::1"]

    /// How long the authority is valid, in days.
    private static var authorityDays: Int { 3_650 }

    func validate() throws {
        try checkNumbers([days], within: 1...825, of: "--days")
        for name in names where !Self.isName(name) {
            throw ValidationError("\(name) is neither a DNS name nor an IP address")
        }
    }

    /// Whether a text has only letters, digits, and what separates them in names and addresses.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 253
            && text.utf8.allSatisfy { byte in
                (0x30...0x3a).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
                    || [0x2d, 0x2e, 0x2a, 0x5f].contains(byte)
            }
    }

    func run() throws {
        if unsafe mkdir(out, 0o755) != 0 && errno != EEXIST {
            throw SettingsProblem(unwritable: out)
        }
        let authority = try authority()
        let identity = try authority.issue(for: names, now: .now, days: days)
        try SecretFile.write(identity.key, to: path("key.pem"), isSecret: true)
        try SecretFile.write(identity.chain, to: path("cert.pem"), isSecret: false)
        let list = names.joined(separator: ", ")
        printLine("\(path("cert.pem")) is for \(list), for \(days) days")
        printLine("the router:  --cert \(path("cert.pem")) --key \(path("key.pem"))")
        printLine("a client:    --ca \(path("ca.pem"))")
    }

    private func path(_ name: String) -> String { "\(out)/\(name)" }

    private func authority() throws -> DevelopmentAuthority {
        if unsafe access(path("ca.pem"), F_OK) == 0 {
            return try DevelopmentAuthority(
                Identity(
                    chain: SecretFile.certificate(path("ca.pem"), of: "the authority"),
                    key: SecretFile.key(path("ca-key.pem"), of: "the authority's key")
                )
            )
        }
        let made = try DevelopmentAuthority(
            named: "reload-router development authority",
            now: .now,
            days: Self.authorityDays
        )
        let identity = try made.identity
        try SecretFile.write(identity.key, to: path("ca-key.pem"), isSecret: true)
        try SecretFile.write(identity.chain, to: path("ca.pem"), isSecret: false)
        return made
    }
}

/// `cert`: certificates for trials.
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cert",
        abstract: "Make certificates for trials of TLS.",
        subcommands: [NewCertificate.self]
    )
}
