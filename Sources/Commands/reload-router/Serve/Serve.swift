import AdminAPI
import ArgumentParser
import Basics
import CommandSupport
import Cryptography
import Glibc
import LibuvLoop
import Logging
import Platform
import RouterCore
import RouterServer
import RouterStore

/// `serve`: runs the router. It reads the settings, starts the admin server, opens the store, and
/// runs the loop on this thread until the router has drained.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the router.",
        discussion: """
            A setting is taken from its flag, else from the environment (RELOAD_ROUTER_ and the \
            flag's name: RELOAD_ROUTER_MAX_BODY), else from the configuration file (a JSON object: \
            {"max-body": 65536}), else its default applies. SIGHUP reads the app file again; \
            SIGINT and SIGTERM drain: GOAWAY to every session, flush, exit 0; or exit 1 if the \
            store could not keep everything, because its disk is full or fails.
            """
    )

    @Option(help: "Configuration file with these settings by name.", of: .file("json"))
    var config: String?

    @OptionGroup
    var flags: SettingFlags

    func run() throws {
        let settings = ServeSettings(
            flags: flags.given,
            file: try config.map { try ConfigurationFile.values(in: $0) }
        )
        if try settings.value(\.endWithInput) { try Self.endWithInput() }
        if try !settings.value(\.coreFiles) { Self.forbidCrashDumps() }
        let (logger, limiter) = try settings.logSettings().makeLogger()
        defer { limiter.report(isLast: true) }
        logger.notice("reload-router starts", metadata: ["version": "\(Release.version)"])
        let notifier = try ServiceNotifier.of(.ofThisProcess())
        var configuration = try settings.serverConfiguration(memory: .find())
        configuration.version = Release.version
        configuration.security = try settings.security()
        let (apps, digest) = try loadAppFile(configuration.appFile!, unless: nil)!
        let recording = try settings.recording()
        if let warning = configuration.warning { logger.warning("\(warning)") }
        let publishing = try ServePublishing(settings, logger: logger)
        let apns = try ServeAPNs(settings)
        let descriptors = try ServeDescriptors(settings, publishing: publishing, apns: apns)
        if let sentence = descriptors.cap(&configuration.limits) { logger.warning("\(sentence)") }
        // The admin server starts before the store is opened, which takes a while if it is large.
        // Until then the server answers that the router is loading.
        let snapshot = StatusSnapshot()
        let mailbox = AdminMailbox()
        let admin = try ServeAdmin(settings, memory: configuration.memory, logger: logger)
        let adminServer = try admin?.start(snapshot, port: mailbox, publishing: publishing)
        defer {
            if let adminServer { admin?.finish(adminServer) }
            adminServer?.stop()
        }
        notifier?.show("loading the store")
        let server: Server
        do {
            server = try makeServer(
                settings,
                configuration: configuration,
                apps: apps,
                snapshot: snapshot,
                logger: logger
            )
        } catch let error as ListenError {
            throw SettingsProblem("\(error); --listen HOST:PORT sets another address")
        } catch let error as TLSError {
            throw SettingsProblem("cert and key: \(error)")
        }
        server.setMailbox(mailbox)
        server.noteAppFile(digest)
        if admin != nil { server.integration.fileIsReread(.operators) }
        admin?.connect(to: server)
        try publishing?.start(server)
        apns.start(server)
        server.integration.logLimiter = limiter
        if let notifier { try server.report(to: notifier) }
        if let recording {
            var random = SystemRandomNumberGenerator()
            try server.record(recording, number: random.next())
        }
        server.integration.onHangUp = { [unowned server] in
            admin?.readAgain(for: server)
            renewCertificates(of: server, and: adminServer, settings: settings)
        }
        logCertificates(of: server, with: logger)
        for address in server.listeningAddresses { printLine("listening on \(address)") }
        if let address = server.publishAddress { printLine("publish on \(address)") }
        if let adminServer { admin?.printLink(to: adminServer) }
        let lost = try server.run()
        if lost > 0 { throw StoreLoss(records: lost) }
    }

    /// Keeps the system from writing a core file, and Swift's runtime from writing a backtrace, in
    /// which secrets would be.
    ///
    /// A limit of one byte, and not of none, because a program that the system gives core files to
    /// ignores other limits (core(5), "Piping core dumps to a program").
    private static func forbidCrashDumps() {
        CrashReports.forbid()
        var none = rlimit(rlim_cur: 1, rlim_max: 1)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// Says in the log that clients need TLS, and until when it works; nothing without TLS.
    private func logCertificates(of server: Server, with logger: Logger) {
        guard let expiry = server.certificateExpiry else { return }
        logger.notice("TLS is on", metadata: ["expiry": "\(WallDate(expiry).text)"])
    }

    /// Reads the certificates again. If they cannot be used, the old ones stay.
    private func renewCertificates(
        of server: Server,
        and adminServer: AdminServer?,
        settings: ServeSettings
    ) {
        do {
            guard let security = try settings.security(from: .files) else { return }
            if let security = try settings.adminSecurity(from: .files) {
                try adminServer?.replaceCertificates(security)
            }
            try server.replacePublishersCertificates(security)
            try server.replaceCertificates(security)
            var metadata: Logger.Metadata = [:]
            if let expiry = server.certificateExpiry {
                metadata["expiry"] = "\(WallDate(expiry).text)"
            }
            server.integration.fileRead(.certificates, details: metadata)
        } catch {
            server.integration.fileRefused(.certificates, because: error)
        }
    }

    private func makeServer(
        _ settings: ServeSettings,
        configuration: ServerConfiguration,
        apps: AppFile,
        snapshot: StatusSnapshot,
        logger: Logger
    ) throws -> Server {
        let durability = try settings.value(\.durability)
        let mustExist = try settings.storeMustExist()
        var random = SystemRandomNumberGenerator()
        let secrets = RouterSecrets(using: &random)
        guard let folder = try settings.storeFolder() else {
            logger.warning("there is no store: all state is lost when this process ends")
            return try Server(
                configuration: configuration,
                apps: apps,
                seed: DecisionSeed(random.next()),
                secrets: secrets,
                snapshot: snapshot,
                logger: logger
            )
        }
        let store = ServeStore(folder: folder, mustExist: mustExist, durability: durability)
        let server = try Server(
            configuration: configuration,
            apps: apps,
            stored: store.open(configuration, secrets: secrets, logger: logger),
            snapshot: snapshot,
            logger: logger
        )
        server.keepHistory(ofStore: folder)
        return server
    }
}

extension Serve {
    /// Starts a thread that reads standard input to its end, and then ends the process in the
    /// ordinary way, by SIGTERM.
    ///
    /// A program that starts a router passes it a pipe, and keeps the other end. The system closes
    /// that end with the program, however the program ends.
    private static func endWithInput() throws(SettingsProblem) {
        let status = startThread {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
                if count == 0 || (count < 0 && errno != EINTR) { break }
            }
            _ = kill(getpid(), SIGTERM)
        }
        if status != 0 {
            throw SettingsProblem("end-with-input: the system starts no more threads")
        }
    }
}
