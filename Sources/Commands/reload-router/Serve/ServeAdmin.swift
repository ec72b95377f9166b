import AdminAPI
import Basics
import CommandSupport
import Cryptography
import DurableStore
import Glibc
import HTTPServing
import Logging
import Platform
import RouterServer

/// The admin server of `serve`: its address, its operators, and the files of the dashboard.
struct ServeAdmin {
    private let address: ListeningAddress
    private let tokenFile: String?
    private let operatorsFile: String?
    private let isLocal: Bool
    private let authorization: Authorization
    private let audit: AuditLog?
    /// Where the sessions of browsers are kept for the next start; nil if there is no store.
    private let keeper: SessionKeeper?
    /// How the server proves itself with TLS; nil to speak without.
    private let security: ServerSecurity?
    /// The folder of the store; nil if there is none.
    private let storeFolder: String?
    private let logger: Logger
    private let memory: MemoryShares
    private let idle: Milliseconds

    /// Reads who is let in and the certificates, and makes the token file if there is none; nil if
    /// the settings ask for no admin server. `memory` says what bodies of requests may take.
    init?(_ settings: ServeSettings, memory: MemoryShares, logger: Logger) throws {
        guard let address = try settings.adminAddress() else { return nil }
        self.address = address
        tokenFile = try settings.adminTokenFile()
        operatorsFile = try settings.value(\.operators)
        isLocal = try settings.isAdminLocal()
        security = try settings.adminSecurity()
        storeFolder = try settings.storeFolder()
        self.logger = logger
        self.memory = memory
        idle = try settings.value(\.httpIdle)
        keeper = storeFolder.map { Self.keeper(ofStore: $0, logger: logger) }
        var keep: (@Sendable ([UInt8]) -> Void)?
        if let keeper { keep = { keeper.keep($0) } }
        authorization = Authorization(
            try Self.operators(tokenFile, operatorsFile: operatorsFile, logger: logger),
            random: { try! randomBytes($0) },
            now: { .now },
            keep: keep
        )
        let syslog = try settings.auditSyslog()
        audit = try settings.auditLog().map { path in
            try AuditLog(path, syslog: syslog, now: { .now }) {
                Self.logAudit($0, path: path, logger: logger)
            }
        }
        restoreSessions()
    }

    /// The file with the sessions of browsers, beside the store.
    private static func sessionsFile(ofStore store: String) -> String { "\(store).sessions" }

    /// Writes sessions into their file. One that cannot be written is removed, so that no browser
    /// that has signed out is let in after a restart.
    private static func keeper(ofStore store: String, logger: Logger) -> SessionKeeper {
        let path = sessionsFile(ofStore: store)
        return SessionKeeper {
            write($0, to: path)
        } onChange: { reason in
            guard let reason else {
                return logger.notice("the sessions of browsers are kept again")
            }
            logger.warning(
                "browsers will have to show a token again after a restart",
                metadata: ["reason": "\(reason)"]
            )
        }
    }

    /// Returns why it could not be written; nil if it was.
    private static func write(_ sessions: [UInt8], to path: String) -> String? {
        do throws(SettingsProblem) {
            try SecretFile.write(sessions, to: path, isSecret: true)
            return nil
        } catch {
            if unsafe unlink(path) == 0 || errno == ENOENT { return "\(error)" }
            let reason = unsafe String(cString: strerror(errno))
            return "\(error); nor can it be removed, so that sessions that have ended may be good "
                + "again: \(reason)"
        }
    }

    /// Lets the browsers in that were let in before the restart.
    private func restoreSessions() {
        guard let storeFolder else { return }
        let path = Self.sessionsFile(ofStore: storeFolder)
        if unsafe access(path, F_OK) != 0 { return }
        do {
            try authorization.restore(try SecretFile.key(path, of: "store", from: .files))
        } catch {
            let reason = (error as? AdminProblem)?.detail ?? "\(error)"
            logger.warning(
                "browsers have to show a token again: their file is of no use",
                metadata: ["path": "\(path)", "reason": "\(reason)"]
            )
        }
    }

    private static func logAudit(_ failure: AuditFailure, path: String, logger: Logger) {
        switch failure {
        case .writing(let reason?):
            logger.error(
                "the audit log cannot be written: commands are refused",
                metadata: ["path": "\(path)", "reason": "\(reason)"]
            )
        case .writing(nil):
            logger.notice("the audit log is written again", metadata: ["path": "\(path)"])
        case .cut:
            logger.error(
                "the last lines of the audit log are missing: it was cut off",
                metadata: ["path": "\(path)"]
            )
        case .sending(let reason?):
            logger.error(
                "lines of the audit log are not sent to syslog; they are in the file",
                metadata: ["reason": "\(reason)"]
            )
        case .sending(nil): logger.notice("the audit log is sent to syslog again")
        }
    }

    /// Lets the server say in the audit log what a signal has changed, and refer to secrets there.
    func connect(to server: Server) {
        guard let audit else { return }
        server.integration.secretDigest = { audit.digest(of: $0) }
        server.integration.onAppFile = { result in
            switch result {
            case .success(let change): audit.note("SIGHUP app-file", change: change)
            case .failure(let problem): audit.note("SIGHUP app-file", problem: "\(problem)")
            }
        }
    }

    /// All who are let in, by the files as they are now.
    private static func operators(
        _ tokenFile: String?,
        operatorsFile: String?,
        logger: Logger
    ) throws -> [Operator] {
        var operators: [Operator] = []
        if let tokenFile {
            let (token, isNew) = try AdminTokenFile.readOrMake(tokenFile, of: "admin-token-file")
            if isNew { logger.notice("admin token made", metadata: ["path": "\(tokenFile)"]) }
            operators.append(.tokenFile(token.digest))
        }
        if let operatorsFile {
            let listed = try Self.listed(operatorsFile)
            if let same = listed.first(where: { $0.proof == operators.first?.proof }) {
                throw SettingsProblem(
                    "operators is \(operatorsFile): \(same.name) has the token of the token file, and "
                        + "would be an admin"
                )
            }
            operators += listed
        }
        return operators
    }

    static func listed(_ file: String) throws -> [Operator] {
        let bytes = try SecretFile.trusted(file, of: "operators")
        do throws(OperatorFileError) {
            return try OperatorFile.parse(bytes)
        } catch {
            throw SettingsProblem("operators is \(file): \(error)")
        }
    }

    /// Listens, prints where, and starts answering on a thread of its own. The router's status
    /// comes from the loop by `snapshot`, and all other requests go to the loop by `port`.
    func start(
        _ snapshot: StatusSnapshot,
        port: any AdminPort,
        publishing: ServePublishing?
    ) throws -> AdminServer {
        var settings = AdminSettings(authorization, now: { .now })
        settings.isLocal = isLocal
        settings.isSecure = security != nil
        settings.publishing = publishing?.counts
        settings.audit = audit
        settings.startedAt = .now
        settings.allBodiesBytes = memory.adminBodies
        settings.idle = idle
        settings.files = .dashboard(charts: chartLibrary())
        if let storeFolder {
            settings.lastBackup = { LastBackup(ofStore: storeFolder).date }
        }
        settings.onAnswer = { [logger] in logger.log($0, of: "admin") }
        settings.onRefusedHandshake = { [logger] peer, reason in
            logger.logHandshake(of: "admin", with: "\(peer)", failure: "\(reason)")
        }
        let server = try AdminServer(
            address,
            security: security,
            resources: AdminResources(snapshot, port: port, settings: settings)
        )
        announce(server)
        return server
    }

    /// Prints where the server is, and lets commands of this user know that it is one of theirs.
    private func announce(_ server: AdminServer) {
        if isAnnounced { AdminTokenFile.announce(server.address.port) }
        printLine("admin on \(server.address)")
    }

    /// Whether commands of this user find the token by themselves.
    private var isAnnounced: Bool {
        address.isLoopback && tokenFile != nil && tokenFile == AdminTokenFile.defaultPath
    }

    /// Prints a link to the dashboard, if a person reads the output.
    func printLink(to server: AdminServer) {
        guard address.isLoopback, let tokenFile, isatty(STDOUT_FILENO) != 0,
            let token = try? AdminTokenFile.read(tokenFile, of: "admin-token-file"),
            let code = authorization.makeLink(forHolderOf: token)
        else { return }
        printLine("dashboard \(server.url)\(StaticFiles.dashboardPath(forCode: code))")
    }

    /// Writes down what is still to be in the audit log, for which the server's last answers wait.
    func finish(_ server: AdminServer) {
        if isAnnounced { AdminTokenFile.withdraw(server.address.port) }
        audit?.stop()
        keeper?.close()
    }

    /// The library for the dashboard's charts, if it is installed.
    private func chartLibrary() -> [UInt8]? {
        let path = ChartLibrary.path
        let bytes = try? SecretFile.certificate(path, of: "the library", from: .files)
        if bytes == nil {
            logger.notice(
                "the dashboard has no charts: libjs-chart.js is not installed, or not readable",
                metadata: ["path": "\(path)"]
            )
        }
        return bytes
    }

    /// Reads again who is let in, on SIGHUP. If that fails, the former operators stay.
    func readAgain(for server: Server) {
        do {
            let operators = try Self.operators(
                tokenFile,
                operatorsFile: operatorsFile,
                logger: logger
            )
            let former = authorization.replace(with: operators)
            audit?.note("SIGHUP operators", change: .operators(former, present: operators))
            server.integration.fileRead(.operators, details: ["operators": "\(operators.count)"])
        } catch {
            audit?.note("SIGHUP operators", problem: "\(error)")
            server.integration.fileRefused(.operators, because: error)
        }
    }
}

extension Logger {
    /// Writes that a server over HTTP has answered: at a higher level if it was a command.
    ///
    /// The log limits how often a text is written. Refused requests have a text of their own, so
    /// that a flood of them cannot hide commands.
    func log(_ answered: AnsweredRequest, of server: String) {
        let isForeign = answered.status == 401 || answered.status == 403
        log(
            level: answered.isCommand || isForeign ? .notice : .debug,
            "\(server) request\(isForeign ? " refused" : "")",
            metadata: [
                "request": "\(answered.id)", "method": "\(answered.method)",
                "route": "\(answered.route)", "status": "\(answered.status)",
            ]
        )
    }

    func logHandshake(of server: String, with peer: String, failure: String) {
        notice(
            "\(server) TLS handshake failed",
            metadata: ["peer": "\(peer)", "error": "\(failure)"]
        )
    }
}
