/// Whether the admin server speaks TLS.
enum AdminTLS {
    case on, off
    /// As the address and the certificates suggest.
    case automatic

    /// The row of the setting `admin-tls`.
    static let setting = Setting<AdminTLS>(
        description: SettingDescription(
            name: "admin-tls",
            form: .text,
            unit: "choice",
            rule: "on or off",
            help:
                "Whether the admin server speaks TLS (https), with the certificates of --cert. Off "
                + "at an address that other machines reach requires --insecure.",
            defaultValue: "on if --cert is given and --admin is not loopback"
        ),
        defaultValue: .automatic
    ) { text in
        switch text {
        case "on": .on
        case "off": .off
        default: nil
        }
    }
    /// The row of the setting `admin-client-ca`.
    static let clientAuthorities = Setting<String?>.file(
        "admin-client-ca",
        help:
            "Authorities (PEM) whose certificates the admin server asks its clients for; a client "
            + "with a certificate of another authority is refused, one without is not. SIGHUP "
            + "reads it again.",
        defaultValue: "clients are asked for no certificate"
    )
}
