import AdminHTTP
import ArgumentParser
import CommandSupport

/// An admin server to ask, and the token to ask with: `--server` and `--token-file`.
struct AdminAddress {
    /// Without a slash at its end.
    private let base: String
    /// What every request has.
    private(set) var headers: [String] = []

    /// - Parameter server: such as `http://127.0.0.1:7411`, or behind a path of a proxy.
    /// - Throws: `ValidationError` if it is no address.
    init(_ server: String) throws(ValidationError) {
        let hosts = ["http://", "https://"].filter { server.hasPrefix($0) }
            .map { server.dropFirst($0.count) }
        guard let host = hosts.first, let first = host.first, first != "/",
            server.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else {
            throw ValidationError(
                "--server is \(server); it must be an address such as http://127.0.0.1:7411"
            )
        }
        base = server.hasSuffix("/") ? String(server.dropLast()) : server
    }

    /// Has every request bring the token of a file.
    ///
    /// - Parameter file: nil if the server wants no token.
    /// - Throws: `SettingsProblem` if there is no token in it.
    mutating func readToken(_ file: String?) throws(SettingsProblem) {
        guard let file else { return }
        do throws(AdminTokenError) {
            headers = ["Authorization: \(try readAdminToken(file).authorization)"]
        } catch {
            throw SettingsProblem("--token-file is \(file): \(error)")
        }
    }

    /// The address of a path, which begins with a slash.
    func url(_ path: String) -> String { base + path }
}
