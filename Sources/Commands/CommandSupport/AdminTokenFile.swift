package import AdminAPI
import Cryptography
import Glibc

/// The file with the token by which an operator on this machine is let in: `serve` makes it at its
/// first start, and other commands find it.
///
///     serve ──► makes it, for its owner alone ──► ~/.local/state/reload-router/admin-token
///     top, explain --to, dashboard, reload-lab ◄── read it
package enum AdminTokenFile {
    /// The variable of the environment that names the file, for `serve` and for other commands.
    private static var variable: String { "RELOAD_ROUTER_ADMIN_TOKEN_FILE" }

    /// Where the file is unless a setting says otherwise (XDG Base Directory Specification 0.8);
    /// nil if the environment names no folder of the user.
    package static var defaultPath: String? {
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
            return "\(state)/\(name)"
        }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return "\(home)/.local/state/\(name)"
    }

    private static var name: String { "reload-router/admin-token" }

    /// The token for a server on this machine, if there is one that this user can read.
    package static func ofThisMachine() -> AdminToken? {
        guard let path = environment(variable) ?? defaultPath else { return nil }
        return try? read(path, of: variable)
    }

    /// Reads the token in the first line of a file.
    ///
    /// - Parameters:
    ///   - path: the file, which no other user may be able to read.
    ///   - setting: the setting or option that names it, for errors.
    /// - Returns: the token, valid as part of an HTTP header.
    /// - Throws: `SettingsProblem`.
    package static func read(
        _ path: String,
        of setting: String
    ) throws(SettingsProblem) -> AdminToken {
        let bytes = try SecretFile.key(path, of: setting)
        do throws(AdminTokenError) {
            return try AdminToken(file: bytes)
        } catch {
            throw SettingsProblem("\(setting) is \(path): \(error)")
        }
    }

    /// Reads the token in a file. If there is no such file, makes one with a new token; for the
    /// default path also the folders on the way to it.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - setting: the setting or option that names it, for errors.
    /// - Returns: the token, and whether it is new.
    /// - Throws: `SettingsProblem`.
    package static func readOrMake(
        _ path: String,
        of setting: String
    ) throws(SettingsProblem) -> (token: AdminToken, isNew: Bool) {
        var status = stat()
        if unsafe stat(path, &status) == 0 || errno != ENOENT {
            return (try read(path, of: setting), false)
        }
        let random: [UInt8]
        do throws(TLSError) {
            random = try randomBytes(AdminToken.randomByteCount)
        } catch {
            throw SettingsProblem("\(setting) is \(path), and no token can be drawn: \(error)")
        }
        let token = AdminToken(random: random)
        if path == defaultPath { makeFolders(to: path) }
        do throws(SettingsProblem) {
            try SecretFile.write(token.file, to: path, isSecret: true)
        } catch {
            throw SettingsProblem(
                "\(error); the admin server's token is kept there: \(setting) sets another file"
            )
        }
        return (token, true)
    }

    /// Makes the folders of a file that do not exist, for their owner alone.
    private static func makeFolders(to path: String) {
        var end = path.index(after: path.startIndex)
        while let slash = path[end...].firstIndex(of: "/") {
            unsafe mkdir(String(path[..<slash]), 0o700)
            end = path.index(after: slash)
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
