import ArgumentParser

/// The admin server that `top` and `producers` ask, and the file with its token.
struct AdminOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The admin server: a port of this machine, host:port, or a URL.",
            valueName: "address"
        )
    )
    var to = "http://127.0.0.1:7411"

    @Option(
        help: ArgumentHelp(
            "A file with the admin server's token in its first line.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    /// The address, with the token if a file is named.
    ///
    /// - Throws: `ValidationError` if it is no address, `SettingsProblem` if the file has no token.
    func address() throws -> AdminAddress {
        var address = try AdminAddress(to)
        try address.readToken(tokenFile)
        return address
    }
}
