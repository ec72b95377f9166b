package import ArgumentParser
import Basics
import LibuvLoop
import Platform
package import ReloadRouterClient

/// The address and the credentials with which a client command connects to a router: as given, or
/// else as the context in use has them.
package struct ClientOptions: ParsableArguments {
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The router's address; a port alone is one of this machine. (default: the context's, with "
                + "its options for TLS, or else localhost:7410)",
            valueName: "host:port"
        )
    )
    private var givenTo: String?

    @Option(name: .customLong("app"), help: "The app to speak for. (default: the context's)")
    private var givenApp: String?

    @Option(
        help: "The app's token for this role. (default: $RELOAD_ROUTER_TOKEN, which other users of "
            + "this computer do not see, or else the context's --token-file)",
        of: "token"
    )
    /// The token given on the command line; see `effectiveToken`.
    package var token: String?

    /// A file with the token in its first line, which is read again for each connection.
    @Option(
        help: "A file with the token in its first line, in place of --token; read again for each "
            + "connection, so that the token may be replaced while this runs.",
        of: "file"
    )
    package var tokenFile: String?

    /// How the connection is protected.
    @OptionGroup package var protection: SecurityOptions

    /// Makes options that the argument parser fills in.
    package init() {}

    /// Reads what was not given from the context in use, if an address, an app or a token was not,
    /// and refuses an address that is not `HOST:PORT`.
    package mutating func validate() throws {
        if token != nil && tokenFile != nil {
            throw ValidationError("--token and --token-file name the same thing; give one of them")
        }
        let isWhole = givenTo != nil && givenApp != nil && hasToken
        givenApp = try CommandContext.app(givenApp)
        if !isWhole, let context = try ContextFile.inUse() { complete(from: context) }
        if Endpoint(to) == nil { throw ValidationError(Endpoint.problem(to, of: "--to")) }
    }

    /// Reads what was not given from a context; only its own router gets its token.
    private mutating func complete(from context: CommandContext) {
        guard givenTo == nil || givenTo == context.members[.to] else { return }
        givenTo = context.members[.to]
        if !hasToken { tokenFile = context.members[.tokenFile] }
        protection.complete(from: context)
    }

    /// The router's address: `HOST:PORT`, `HOST` or `PORT`.
    package var to: String { givenTo ?? "localhost:7410" }

    /// The name of the app to speak for.
    package var app: String { givenApp ?? "" }

    /// Reads the token from its file, for each connection; nil without a file.
    package var tokens: TokenProvider? {
        guard let tokenFile else { return nil }
        return { try Self.token(inFile: tokenFile) }
    }

    /// Reads the token in a file.
    package static func token(inFile path: String) throws(SettingsProblem) -> String {
        var bytes = try SecretFile.key(path, of: "--token-file")
        defer { bytes.erase() }
        let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
        guard !line.isEmpty, let token = String(validating: line, as: UTF8.self) else {
            throw SettingsProblem("--token-file is \(path): its first line is no token")
        }
        return token
    }

    /// The token as it is now: that of the file, or else `effectiveToken`.
    package func currentToken() throws(SettingsProblem) -> String? {
        if let tokenFile { return try Self.token(inFile: tokenFile) }
        return effectiveToken
    }

    /// Whether a token was given in any way.
    package var hasToken: Bool { tokenFile != nil || effectiveToken != nil }

    /// The token of the command line, or else of `RELOAD_ROUTER_TOKEN`; nil if neither is set.
    package var effectiveToken: String? { CommandSupport.effectiveToken(token) }
}

/// A token that was not given although the router asks for one.
package enum MissingToken {
    /// The end of a message about an error that ended a session: how to give a token. It is empty
    /// if one was given, or if the reason is another one.
    package static func hint(for error: any Error, isGiven: Bool) -> String {
        if isGiven || !"\(error)".contains("token-invalid") { return "" }
        return "; no token was given: give --token or --token-file, or set RELOAD_ROUTER_TOKEN"
    }
}

/// The token that a client command uses: that of the command line, or else the one in
/// RELOAD_ROUTER_TOKEN; nil if neither is set.
package func effectiveToken(_ given: String?) -> String? {
    given ?? environmentVariable("RELOAD_ROUTER_TOKEN")
}
