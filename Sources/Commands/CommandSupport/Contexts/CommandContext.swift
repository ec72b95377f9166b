import ArgumentParser
import Basics
import FrameCodec
import LibuvLoop

/// A router by a name, as commands reach it: its addresses, an app, and the files by which they
/// prove who asks. It names files, and has no secret of its own.
package struct CommandContext: Equatable, Sendable {
    /// What a context may have, called as the option of a command in whose place it is read.
    package enum Member: String, CaseIterable, Sendable {
        case to, app
        case tokenFile = "token-file"
        case admin
        case adminTokenFile = "admin-token-file"
        case ca, cert, key
        /// `tls`, `insecure` or `plaintext`: the flag that is read.
        case security

        /// Those that are paths of files.
        package static var files: [Member] { [.tokenFile, .adminTokenFile, .ca, .cert, .key] }
    }

    /// What it is called.
    package let name: String
    /// What it has, each as text.
    package var members: [Member: String] = [:]

    /// A context that has nothing yet.
    ///
    /// - Throws: `SettingsProblem` unless the name has 1 to 64 letters of ASCII, digits, and `-._`,
    ///   and begins with none of these.
    package init(_ name: String) throws(SettingsProblem) {
        let isName = name.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: index < 64
            case 0x2d, 0x2e, 0x5f: 1..<64 ~= index
            default: false
            }
        }
        guard isName && !name.isEmpty else {
            throw SettingsProblem(
                "the name of a context",
                value: quotation(name),
                rule: "1 to 64 letters, digits, -, . and _, and begin with a letter or digit"
            )
        }
        self.name = name
    }

    /// Refuses what no command could use; files are not read.
    package func check() throws(SettingsProblem) {
        guard let to = members[.to] else { throw SettingsProblem("there is no --to") }
        if Endpoint(to) == nil { throw SettingsProblem(Endpoint.problem(to, of: "--to")) }
        if let flag = members[.security], !["tls", "insecure", "plaintext"].contains(flag) {
            throw SettingsProblem(
                "security",
                value: quotation(flag),
                rule: "tls, insecure or plaintext"
            )
        }
        do {
            if let app = members[.app] { try checkIdentifier(app, of: "--app") }
            var options = try SecurityOptions.parse([])
            options.complete(from: self)
            try options.validate()
        } catch {
            throw SettingsProblem((error as? ProtocolError)?.message ?? "\(error)")
        }
    }

    /// The address of the admin server: without one of its own, that of this machine if the router
    /// is here, and nil otherwise.
    package var admin: String? {
        if let own = members[.admin] { return own }
        let isHere = members[.to].flatMap { Endpoint($0) }?.isLoopback ?? false
        return isHere ? "127.0.0.1:7411" : nil
    }

    /// Whether the options for TLS are also those for the admin server: not by `http`, nor at an
    /// address of this machine without `https`, where it has no TLS by default; and `https` is TLS
    /// though the router has none.
    package var protectsAdmin: Bool {
        guard let admin, !admin.hasPrefix("http://") else { return false }
        if admin.hasPrefix("https://") { return members[.security] != "plaintext" }
        return Endpoint(admin)?.isLoopback != true
    }

    /// The app that a command was given, or else that of the context in use.
    ///
    /// - Throws: `ValidationError` if there is neither.
    package static func app(_ given: String?) throws -> String {
        if let app = try given ?? ContextFile.inUse()?.members[.app] { return app }
        throw ValidationError(
            "Missing expected argument '--app <app>': give it, or use a context that has one"
        )
    }
}
