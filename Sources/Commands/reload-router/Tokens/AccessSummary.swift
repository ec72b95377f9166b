import Basics
import CommandSupport
import Credentials
import FrameCodec

/// What the credentials of an app file may do, a line each, for people.
enum AccessSummary {
    /// The lines about all apps of a file.
    static func lines(_ access: [AppAccess], now: WallTime) -> [String] {
        access.flatMap { app in
            AppAccess.roles.flatMap { role in lines(app, role: role, now: now) }
        }
    }

    private static func lines(_ app: AppAccess, role: Peer, now: WallTime) -> [String] {
        let place = "  \(app.app) \(role.rawValue):"
        switch app[role] {
        case .open: return ["\(place) open to everybody, without proof"]
        case .listed(let credentials):
            if credentials.isEmpty { return ["\(place) closed"] }
            return credentials.map { "\(place) \(sentence($0, role: role, now: now))" }
        }
    }

    private static func sentence(_ credential: Credential, role: Peer, now: WallTime) -> String {
        let what = role == .publisher ? "producers" : "devices"
        let names = credential.names.texts.joined(separator: ", ")
        var text = "\(credential.id), \(proof(credential.proof)), \(what) \(names)"
        if let age = credential.maxTokenAge { text += ", each for at most \(age.wholeSeconds) s" }
        if let end = credential.notAfter {
            text += end <= now ? ", expired \(end.rfc3339)" : ", until \(end.rfc3339)"
        }
        return text
    }

    private static func proof(_ proof: CredentialProof) -> String {
        switch proof {
        case .token: "a token"
        case .signature(let key): "tokens signed with its key (\(key.algorithm))"
        case .certificate(.dns(let name)): "a certificate for \(name)"
        case .certificate(.uri(let uri)): "a certificate for \(uri)"
        }
    }
}
