import ArgumentParser
import Basics
import CommandSupport
import HTTPMessages

/// The admin server that a command asks, and the file with its token: as given, or else as the
/// context in use has them.
struct AdminOptions: ParsableArguments {
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The admin server: a port of this machine, host:port, or a URL, http or https. (default: "
                + "the context's, with its options for TLS, or else http://127.0.0.1:7411)",
            valueName: "address"
        )
    )
    private var givenTo: String?

    @OptionGroup var access: AdminAccess

    mutating func validate() throws { givenTo = try access.complete(givenTo).server }

    var to: String { givenTo ?? "http://127.0.0.1:7411" }

    func address() throws -> AdminAddress { try access.address(of: to) }
}

/// How a command connects to an admin server, and the file with the token for it.
struct AdminAccess: ParsableArguments {
    @Option(
        help: "A file with the admin server's token in its first line. (default: the context's, or "
            + "else that of this machine's routers, for an address of this machine)",
        of: "file"
    )
    var tokenFile: String?

    @OptionGroup var protection: SecurityOptions

    /// Reads what was not given from the context in use, whose own server alone gets its token.
    ///
    /// - Parameters:
    ///   - server: the address that was given; nil for none.
    ///   - isAppGiven: whether the command needs no app of the context.
    /// - Returns: the address, and the app of the context; nil for what there is not.
    /// - Throws: `SettingsProblem` if the context has no admin server.
    mutating func complete(
        _ server: String?,
        isAppGiven: Bool = true
    ) throws(SettingsProblem) -> (server: String?, app: String?) {
        if server != nil && tokenFile != nil && isAppGiven { return (server, nil) }
        guard let context = try ContextFile.inUse() else { return (server, nil) }
        let (own, app) = (context.admin, context.members[.app])
        guard server == nil || server == own else { return (server, app) }
        guard let own else {
            throw SettingsProblem(
                "the context \(context.name) has no admin server: give --to, or add the context "
                    + "again with --admin"
            )
        }
        tokenFile = tokenFile ?? context.members[.adminTokenFile]
        if context.protectsAdmin { protection.complete(from: context) }
        return (own, app)
    }

    /// The address of a server, with the token for it.
    ///
    /// - Throws: `ValidationError` if it is no address, `SettingsProblem` if a file has no token
    ///   or is not usable.
    func address(of server: String) throws -> AdminAddress {
        var address = try AdminAddress(server, options: protection)
        try address.readToken(tokenFile)
        return address
    }
}

extension AdminOptions {
    /// Sends one request to the admin server. Without a method it is a GET, or a POST if there is a
    /// body, which is empty for a POST of nothing.
    func ask(_ path: String, method: String? = nil, body: [UInt8]? = nil) throws -> JSONValue {
        let address = try address()
        return try address.json(answering: address.question(path, method: method, body: body))
    }

    /// Sends requests for a list, page by page.
    func forEachPage(_ path: String, body: (JSONValue) throws -> Void) throws {
        var after = ""
        while true {
            let page = try ask(path + after)
            try body(page)
            switch page["next"] {
            case .string(let name): after = "&after=\(PercentEscapes.encode(name))"
            case .number(let number): after = "&after=\(number)"
            default: return
            }
        }
    }
}
