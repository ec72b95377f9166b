import ArgumentParser

/// `token`: credentials of publishers, devices and gateways.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make credentials for an app file, and sign tokens.",
        subcommands: [NewToken.self, SignToken.self]
    )
}
