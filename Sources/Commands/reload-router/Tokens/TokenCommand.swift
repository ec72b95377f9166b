import ArgumentParser

/// `token`: credentials of publishers, devices and gateways.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make credentials for an app file, sign tokens, and revoke those of a device.",
        subcommands: [NewToken.self, SignToken.self, RevokeTokens.self, ListRevocations.self]
    )
}
