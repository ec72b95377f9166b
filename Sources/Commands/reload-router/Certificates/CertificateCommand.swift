import ArgumentParser

/// `cert`: certificates for trials.
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cert",
        abstract: "Make certificates for trials of TLS.",
        subcommands: [NewCertificate.self]
    )
}
