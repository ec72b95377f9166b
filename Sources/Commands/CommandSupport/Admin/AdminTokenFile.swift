package import AdminAPI
import Basics
import Cryptography
import Glibc
package import LibuvLoop
import Platform

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
        UserFile.path("admin-token", in: "XDG_STATE_HOME", orHome: ".local/state")
    }

    // MARK: - Finding it

    /// The header with the token for a server: that of the file that `--token-file` names, or else
    /// that of this machine's routers, if the server is on this machine: another one must not get
    /// it.
    package static func headers(
        for server: Endpoint,
        file: String?
    ) throws(SettingsProblem) -> [String] {
        var token: AdminToken?
        if let file {
            token = try read(file, of: "--token-file")
        } else if server.isLoopback {
            token = forServer(onPort: server.port)
        }
        return token.map { ["Authorization: \($0.authorization)"] } ?? []
    }

    /// The token for a server at a port of this machine; nil if there is none that this user can
    /// read, or it must not be sent there.
    ///
    /// The one in the default file is for routers of this user alone that are running: another
    /// program may listen at the address, such as a tunnel to another machine. A file that the
    /// environment names is for whatever listens there.
    package static func forServer(onPort port: UInt16) -> AdminToken? {
        if let path = environment(variable) { return try? read(path, of: variable) }
        guard let path = defaultPath, isAnnounced(port) else { return nil }
        return try? read(path, of: variable)
    }

    /// The file that says which process serves at a port.
    private static func announcement(of port: UInt16) -> String? {
        defaultPath.map { "\($0)-\(port)" }
    }

    /// Says beside the default file that this process has an admin server at a port.
    package static func announce(_ port: UInt16) {
        guard let path = announcement(of: port) else { return }
        try? SecretFile.write(Array("\(getpid())\n".utf8), to: path, isSecret: true)
    }

    /// Takes the announcement of this process back.
    package static func withdraw(_ port: UInt16) {
        if let path = announcement(of: port) { unsafe unlink(path) }
    }

    /// Whether a running process of this user has said that it serves at a port.
    private static func isAnnounced(_ port: UInt16) -> Bool {
        guard let path = announcement(of: port),
            let bytes = try? SecretFile.key(path, of: variable),
            let process = Int32(String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self))
        else { return false }
        var status = stat()
        // The folder of a process in /proc is its user's.
        return unsafe stat("/proc/\(process)", &status) == 0 && status.st_uid == geteuid()
    }

    /// Reads the token in the first line of a file, which no other user may be able to read;
    /// `setting` names the file in errors. It is valid as part of an HTTP header.
    package static func read(
        _ path: String,
        of setting: String
    ) throws(SettingsProblem) -> AdminToken {
        var bytes = try SecretFile.key(path, of: setting)
        defer { bytes.erase() }
        do throws(AdminTokenError) {
            return try AdminToken(file: bytes)
        } catch {
            throw SettingsProblem("\(setting) is \(path): \(error)")
        }
    }

    /// Reads the token in a file. If there is no such file, makes one with a new token; for the
    /// default path also the folders on the way to it.
    package static func readOrMake(
        _ path: String,
        of setting: String
    ) throws(SettingsProblem) -> (token: AdminToken, isNew: Bool) {
        var status = stat()
        if unsafe stat(path, &status) == 0 || errno != ENOENT {
            return (try read(path, of: setting), false)
        }
        var random: [UInt8] = []
        defer { random.erase() }
        do throws(TLSError) {
            random = try randomBytes(AdminToken.randomByteCount)
        } catch {
            throw SettingsProblem("\(setting) is \(path), and no token can be drawn: \(error)")
        }
        let token = AdminToken(random: random)
        if path == defaultPath { UserFile.makeFolders(to: path) }
        // Another router may start at the same moment: the first file stays, and both use it.
        let temporary = "\(path).\(getpid())"
        do throws(SettingsProblem) {
            try SecretFile.write(token.file, to: temporary, isSecret: true)
        } catch {
            throw SettingsProblem(
                "\(error); the admin server's token is kept there: \(setting) sets another file"
            )
        }
        defer { unsafe unlink(temporary) }
        if unsafe link(temporary, path) == 0 { return (token, true) }
        if errno != EEXIST { throw SettingsProblem(unwritable: path) }
        return (try read(path, of: setting), false)
    }

    private static func environment(_ name: String) -> String? {
        guard let text = environmentVariable(name) else { return nil }
        return text.isEmpty ? nil : text
    }
}
