import AdminAPI
import ArgumentParser
import Basics
import CommandSupport
import Credentials
import Cryptography
import Glibc

/// `token new`: draws a token or makes a key, and prints the entry of the app file that lets it in.
struct NewToken: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make a token, or a key that signs tokens, and the entry that lets it in.",
        discussion: """
            Without --key, draws a random token and prints it once, with the entry that lets it in; \
            the router keeps its SHA-256 alone. Give the token to one publisher or gateway. With \
            --key, makes a key for your app's backend, which signs a token for each device \
            (`token sign` shows how); the app file gets the part that verifies, and for HS256, \
            whose parts are the same, must be readable for the router alone. With --operator, draws \
            a token of an operator of the admin server, with its entry for `serve --operators`.
            """
    )

    @Option(
        help: "The name of the credential in the app file. (default: made of its hash)",
        of: "name"
    )
    var id: String?

    @Option(
        help: "A producer for which it is good, or the beginning of its name and a *; repeatable.",
        of: "pattern",
        parsing: .singleValue
    )
    var producers: [String] = []

    @Option(
        help: "A device for which it is good, or the beginning of its id and a *; repeatable.",
        of: "pattern",
        parsing: .singleValue
    )
    var devices: [String] = []

    @Option(
        help: "Make a token of an operator with this role.",
        of: "role",
        name: .customLong("operator")
    )
    var role: OperatorRole?

    @Option(help: "When it ends, such as 2027-01-01T00:00:00Z.", of: "date")
    var notAfter: String?

    @Option(help: "Make a key: HS256, EdDSA or ES256.", of: "algorithm")
    var key: String?

    @Option(help: "The file for the private key, a JWK.", of: "file")
    var out: String?

    @Flag(help: "Take the token from standard input, for one that exists.")
    var stdin = false

    /// The fewest bytes of a token that is brought.
    private static var leastToken: Int { 16 }

    func validate() throws {
        if !producers.isEmpty && !devices.isEmpty {
            throw ValidationError("a credential is for --producers or for --devices")
        }
        if (key == nil) != (out == nil) {
            throw ValidationError("--key and --out belong together: the key is written to a file")
        }
        if role != nil && (key != nil || !producers.isEmpty || !devices.isEmpty) {
            throw ValidationError("--operator is for --id, --not-after and --stdin alone")
        }
        if key != nil && stdin { throw ValidationError("--stdin is for a token, without --key") }
        if let key, !["HS256", "EdDSA", "ES256"].contains(key) {
            throw ValidationError("--key is \(key); it must be HS256, EdDSA or ES256")
        }
        if let notAfter, WallDate(notAfter) == nil {
            throw ValidationError("--not-after is \(notAfter); write it as 2027-01-01T00:00:00Z")
        }
        do throws(NamePatternProblem) {
            _ = try NamePatterns(producers + devices)
        } catch {
            throw ValidationError("the pattern \(error.pattern) is refused: \(error.reason)")
        }
    }

    func run() throws {
        if let key, let out {
            guard let made = try SigningKey.new(key) else { return }
            if unsafe access(out, F_OK) == 0 {
                throw SettingsProblem(
                    "--out is \(out), which is there already; keys are not written over: give another "
                        + "file"
                )
            }
            try SecretFile.write(made.jwk + [0x0a], to: out, isSecret: true)
            printLine("private key:  \(out)")
            let jwk = made.verification.jwk
            printEntry("key", hash: jwk.withByteView { SHA256.digest($0) }, jwk: jwk)
            return
        }
        let token = try stdin ? existingToken() : encodeBase64URL(try randomBytes(32))
        let digest = token.withByteView { SHA256.digest($0) }
        if !stdin { printLine("token:        \(token)") }
        printEntry("token", hash: digest)
    }

    /// Prints the entry for the app file, or for the list of operators: of a key, or of the token
    /// with this hash.
    private func printEntry(_ kind: String, hash: SHA256Digest, jwk: [UInt8]? = nil) {
        let entry = JSONWriter.object { json in
            let name = id ?? "\(kind)-\(hash.hexadecimal.prefix(8))"
            json.member(role == nil ? "id" : "name", value: name)
            if let role { json.member("role", value: role.rawValue) }
            if let jwk {
                jwk.withByteView { json.member("jwk", json: $0) }
            } else {
                json.member("sha256", value: hash.hexadecimal)
            }
            if !producers.isEmpty { json.list("producers", of: producers) }
            if !devices.isEmpty { json.list("devices", of: devices) }
            if let notAfter { json.member("notAfter", value: notAfter) }
        }
        let place = role == nil ? "app file:     " : "operators:    "
        printLine("\(place)\(String(decoding: entry, as: UTF8.self))")
    }

    /// The first line of standard input.
    private func existingToken() throws -> String {
        let token = readLine() ?? ""
        if token.utf8.count < Self.leastToken {
            throw SettingsProblem(
                "the token has \(token.utf8.count) bytes; one that nobody guesses has at least "
                    + "\(Self.leastToken) random ones"
            )
        }
        return token
    }
}

extension OperatorRole: ExpressibleByArgument {}

/// `token`: credentials of publishers, devices and gateways.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make credentials for an app file, sign tokens, and revoke those of a device.",
        subcommands: [NewToken.self, SignToken.self, RevokeTokens.self, ListRevocations.self]
    )
}
