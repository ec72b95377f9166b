import ArgumentParser
import Basics
import CommandSupport
import Credentials
import Cryptography
import FrameCodec

/// `token sign`: signs a token as an app's backend does, for trials.
struct SignToken: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a token for one device, publisher or gateway, for trials.",
        discussion: """
            In production, your app's backend signs: deploy/examples/backend shows it in Python, \
            Node.js and Swift. A token is a JWT with the claims sub, aud, role and exp.
            """
    )

    @Option(help: "The private key, as `token new --key` wrote it.", of: "file")
    var key: String

    @Option(help: "The app. (default: the context's)")
    var app: String?

    @Option(help: "publisher, device or gateway.")
    var role = "device"

    @Option(help: "The device's id; for a publisher or gateway, a pattern of producers or devices.")
    var name: String

    @Option(help: "How long it is good, in seconds.")
    var seconds: Int64 = 3_600

    @Option(
        help: "The id of the credential with the key. (default: the first one of its algorithm)"
    )
    var id: String?

    mutating func validate() throws {
        app = try CommandContext.app(app)
        guard let peer = Peer(rawValue: role), AppAccess.roles.contains(peer) else {
            throw ValidationError("--role is \(role); it must be publisher, device or gateway")
        }
        if !(1...315_360_000).contains(seconds) {
            throw ValidationError("--seconds is \(seconds); it must be from 1 to ten years")
        }
    }

    func run() throws {
        let bytes = try SecretFile.key(key, of: "--key")
        let signing: SigningKey
        do throws(JWKProblem) {
            signing = try SigningKey(jwk: bytes)
        } catch {
            let member = error.member.isEmpty ? "" : ", member \(error.member)"
            throw SettingsProblem("--key is \(key)\(member): \(error.message)")
        }
        let claims = TokenClaims(
            subject: name,
            audience: [app ?? ""],
            role: role,
            expiry: WallDate.now.moment + .seconds(seconds),
            issued: WallDate.now.moment
        )
        printLine(try signing.token(claims, keyID: id))
    }
}
