import ArgumentParser
import Basics
import CommandSupport
import Credentials
import HTTPMessages
import Platform

/// `token revoke`: revokes the signed tokens of one device.
struct RevokeTokens: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke the signed tokens of one device that were issued before a date.",
        discussion: """
            Tokens of the device whose iat is earlier are no longer good, nor are those without \
            iat; its sessions that they have let in end. Your backend gives it a new one. What \
            others prove the same by, such as a token that devices share or a gateway's, is not \
            concerned: take that out of the app file.

            Exit status: 0 revoked, 1 refused, and why; 2 the server cannot be reached.
            """
    )

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The app.")
    var app: String

    @Argument(help: "The device's id.")
    var device: String

    @Option(help: "The date, such as 2026-11-29T12:00:00Z. (default: now)", of: "date")
    var before: String?

    @Flag(
        help: """
            Take it back. A stolen token that has not expired is good again: wait until all have.
            """
    )
    var undo = false

    func validate() throws {
        if undo && before != nil { throw ValidationError("--undo is without --before") }
        guard let before else { return }
        guard let date = WallTime(rfc3339: before) ?? Int64(before).map(WallTime.init(rawValue:))
        else { throw ValidationError("--before is \(before); write it as 2026-11-29T12:00:00Z") }
        if WallDate(before) == nil || date > WallTime.now + TokenClaims.clockSkew {
            throw ValidationError("--before is \(before); it must be a date up to now")
        }
    }

    func run() throws {
        let path =
            "/v1/apps/\(PercentEscapes.encode(app))/revocations/\(PercentEscapes.encode(device))"
        let name = "\(quotation(app)) \(quotation(device))"
        if undo {
            _ = try admin.ask(path, method: "DELETE")
            printLine("\(name): all tokens that have not expired are good again")
            return
        }
        let given = before.flatMap { WallDate($0) }?.moment
        let body = given.map { date in JSONWriter.object { $0.member("before", value: date) } }
        let answer = try admin.ask(path, method: "PUT", body: body ?? [])
        let inForce = answer["before"].date
        let text = inForce.rfc3339Milliseconds
        let ended = counted(Int(answer["sessionsEnded"].text) ?? 0, noun: "session")
        // A revocation is never made weaker, so that a mistake makes no token good again.
        let isUnchanged = given.map { $0 < inForce } ?? false
        let state =
            isUnchanged ? "stay revoked: the earlier --before changes nothing" : "are revoked"
        printLine("\(name): tokens issued before \(text) \(state); \(ended) ended")
        if let hint = answer["hint"].string { writeStandardError("reload-router token: \(hint)\n") }
    }
}

/// `token revocations`: lists the devices whose tokens are revoked.
struct ListRevocations: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revocations",
        abstract: "List an app's devices whose tokens are revoked, and from which date on.",
        discussion: """
            Exit status: 0 listed, 1 the server refuses the token or does not know the app, 2 the \
            server cannot be reached.
            """
    )

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The app.")
    var app: String

    func run() throws {
        let name = PercentEscapes.encode(app)
        try admin.forEachPage("/v1/apps/\(name)/revocations?limit=1000") { page in
            for revocation in page["revocations"].elements {
                let date = revocation["before"].date.rfc3339Milliseconds
                printLine("\(date)  \(quotation(revocation["device"].string ?? ""))")
            }
        }
    }
}

extension JSONValue {
    /// The date in ms since 1970; 1970 if it is no whole number.
    fileprivate var date: WallTime { WallTime(rawValue: Int64(text) ?? 0) }
}
