import ArgumentParser
import Basics
import CommandSupport
import Credentials
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

    @Option(
        help: ArgumentHelp(
            "The date, such as 2026-11-29T12:00:00Z. (default: now)",
            valueName: "date"
        )
    )
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
        else {
            throw ValidationError("--before is \(before); write it as 2026-11-29T12:00:00Z")
        }
        if WallDate(before) == nil || date > WallTime.now + TokenClaims.clockSkew {
            throw ValidationError("--before is \(before); it must be a date up to now")
        }
    }

    func run() throws {
        let path =
            "/v1/apps/\(AdminOptions.encoded(app))/revocations/\(AdminOptions.encoded(device))"
        let name = "\(quotation(app)) \(quotation(device))"
        if undo {
            _ = try admin.ask(path, as: "token", method: "DELETE")
            printLine("\(name): all tokens that have not expired are good again")
            return
        }
        let given = before.flatMap { WallDate($0) }?.moment
        let body = given.map { date in JSONWriter.object { $0.member("before", value: date) } }
        let answer = try admin.ask(path, as: "token", method: "PUT", body: body ?? [])
        var (date, sessions) = (0 as Int64, 0 as Int64)
        var hint: String?
        answer.withByteView { bytes in
            var reader = JSONReader(bytes)
            reader.enterObject()
            while let member = reader.nextKey() {
                switch member.string {
                case "before": date = reader.readInteger() ?? 0
                case "sessionsEnded": sessions = reader.readInteger() ?? 0
                case "hint" where reader.peek() == .string: hint = reader.readString().string
                default: reader.skipValue()
                }
            }
        }
        let inForce = WallTime(rawValue: date)
        let text = inForce.rfc3339Milliseconds
        let ended = counted(Int(sessions), noun: "session")
        // A revocation is never made weaker, so that a mistake makes no token good again.
        let isUnchanged = given.map { $0 < inForce } ?? false
        let state =
            isUnchanged ? "stay revoked: the earlier --before changes nothing" : "are revoked"
        printLine("\(name): tokens issued before \(text) \(state); \(ended) ended")
        if let hint { writeStandardError("reload-router token: \(hint)\n") }
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
        let path = "/v1/apps/\(AdminOptions.encoded(app))/revocations?limit=1000"
        var next: String?
        repeat {
            let after = next.map { "&after=\(AdminOptions.encoded($0))" } ?? ""
            let body = try admin.ask(path + after, as: "token")
            next = body.withByteView { Self.report($0) }
        } while next != nil
    }

    /// Prints one page.
    ///
    /// - Returns: the device after which the next page begins; nil on the last page.
    private static func report(_ body: ByteView) -> String? {
        var next: String?
        var reader = JSONReader(body)
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "revocations" {
                reader.enterArray()
                while reader.nextElement() { printLine(line(&reader)) }
            } else if name == "next" && reader.peek() == .string {
                next = reader.readString().string
            } else {
                reader.skipValue()
            }
        }
        return next
    }

    private static func line(_ reader: inout JSONReader) -> String {
        var (device, before) = ("", 0 as Int64)
        reader.enterObject()
        while let name = reader.nextKey() {
            switch name.string {
            case "device": device = reader.readString().string
            case "before": before = reader.readInteger() ?? 0
            default: reader.skipValue()
            }
        }
        return "\(WallTime(rawValue: before).rfc3339Milliseconds)  \(quotation(device))"
    }
}
