import AdminAPI
import CommandSupport
import DurableStore
import Glibc
import HTTPServing
import Logging
import Platform
import RouterServer
import Times

/// The admin server of `serve`: its address, its token, and the files of the dashboard.
struct ServeAdmin {
    private let address: ListeningAddress
    private let tokenFile: String?
    private let authorization: Authorization
    /// The folder of the store; nil if there is none.
    private let storeFolder: String?
    private let logger: Logger

    /// Reads the token; nil if the settings ask for no admin server.
    ///
    /// - Parameters:
    ///   - settings: the address, and the file of the token.
    ///   - logger: logs requests, commands at a higher level.
    /// - Throws: `SettingsProblem`.
    init?(_ settings: ServeSettings, logger: Logger) throws {
        guard let address = try settings.adminAddress() else { return nil }
        self.address = address
        tokenFile = try settings.adminTokenFile()
        storeFolder = try settings.storeFolder()
        self.logger = logger
        authorization = Authorization(try tokenFile.map(Self.token))
    }

    private static func token(_ file: String) throws -> AdminToken {
        do throws(AdminTokenError) {
            return try readAdminToken(file)
        } catch {
            throw SettingsProblem("admin-token-file is \(file): \(error)")
        }
    }

    /// Listens, and starts answering on a thread of its own.
    ///
    /// - Parameters:
    ///   - snapshot: passes the router's status from the loop.
    ///   - port: passes all other requests to the loop.
    /// - Returns: the server.
    /// - Throws: `AdminServerError`.
    func start(_ snapshot: StatusSnapshot, port: any AdminPort) throws -> AdminServer {
        var settings = AdminSettings(authorization)
        settings.startedAt = .now
        settings.files = dashboardFiles()
        if let storeFolder {
            settings.lastBackup = { LastBackup(ofStore: storeFolder).date }
        }
        settings.onAnswer = { [logger] answered in
            // The log limits how often a text is written. Refused requests have a text of their
            // own, so that a flood of them cannot hide commands.
            let isForeign = answered.status == 401 || answered.status == 403
            logger.log(
                level: answered.isCommand || isForeign ? .notice : .debug,
                isForeign ? "admin request refused" : "admin request",
                metadata: [
                    "request": "\(answered.id)", "method": "\(answered.method)",
                    "route": "\(answered.route)", "status": "\(answered.status)",
                ]
            )
        }
        return try AdminServer(
            address,
            resources: AdminResources(snapshot, port: port, settings: settings)
        )
    }

    /// The dashboard, with the library for its charts if it is installed; without it, it shows
    /// numbers only.
    private func dashboardFiles() -> StaticFiles {
        var assets: [String: StaticFile] = [:]
        for file in DashboardFile.assets { assets[file.name] = Self.staticFile(file) }
        let path = DashboardFile.chartLibraryPath
        if let bytes = readFile(path, atMost: Self.chartLibraryLimit) {
            assets["chart.js"] = StaticFile(
                contentType: "text/javascript; charset=utf-8",
                bytes: bytes,
                policy: DashboardFile.contentSecurityPolicy
            )
        } else {
            logger.notice(
                "the dashboard has no charts: libjs-chart.js is not installed",
                metadata: ["path": "\(path)"]
            )
        }
        return StaticFiles(
            page: Self.staticFile(DashboardFile.page),
            runbook: Self.staticFile(DashboardFile.runbook),
            assets: assets
        )
    }

    /// The longest file of the library, in bytes.
    private static var chartLibraryLimit: Int { 4 << 20 }

    private static func staticFile(_ file: DashboardFile) -> StaticFile {
        StaticFile(
            contentType: file.contentType,
            bytes: file.bytes,
            policy: DashboardFile.contentSecurityPolicy
        )
    }

    /// Reads the token again, on SIGHUP. If that fails, the old one stays in force.
    func readAgain() {
        guard let tokenFile else { return }
        do {
            authorization.replace(with: try Self.token(tokenFile))
            logger.notice("admin token read again", metadata: ["path": "\(tokenFile)"])
        } catch {
            logger.error("admin token refused; the old one stays", metadata: ["error": "\(error)"])
        }
    }
}

/// Reads a file; nil if it cannot be read or is longer than `limit` bytes.
private func readFile(_ path: String, atMost limit: Int) -> [UInt8]? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    if unsafe ferror(file) != 0 || count > limit { return nil }
    return Array(bytes[..<count])
}
