import AdminHTTP
import ArgumentParser
import ByteStorage
import CommandSupport
import Configuration
import Logging
import ReloadModel
import RouterCore
import RouterDurability
import RouterServer
import ServiceLogging
import ServiceNotification

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the router.",
        discussion: """
            A setting is taken from its flag, else from the environment (RELOAD_ROUTER_ and the \
            flag's name: RELOAD_ROUTER_MAX_BODY), else from the configuration file (a JSON object: \
            {"max-body": 65536}), else its default holds. SIGHUP reads the app file again; SIGINT \
            and SIGTERM drain: GOAWAY to every session, flush, exit 0; or exit 1 if the store could \
            not take everything, because its disk is full or fails.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Address to listen on; may be repeated. (default: localhost:7410, on 127.0.0.1 and "
                + "[::1]; * is every address, port 0 picks one and prints it)",
            valueName: "host:port"
        )
    )
    var listen: [String] = []

    @Option(
        help: ArgumentHelp(
            "Address of the admin HTTP server: dashboard, metrics, API (protocol/admin.md); none "
                + "does without. One that others reach needs a token. (default: 127.0.0.1:7411; "
                + "port 0 picks one and prints it)",
            valueName: "host:port"
        )
    )
    var admin: String?

    @Option(
        help: ArgumentHelp(
            "File whose first line is the token that the admin server asks for, of at least 16 "
                + "characters; SIGHUP reads it again. (default: nobody is asked for one)",
            valueName: "file"
        ),
        completion: .file()
    )
    var adminTokenFile: String?

    @Option(
        help: ArgumentHelp(
            "App file: the apps, their tokens, and their kinds' rules.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var apps: String?

    @Option(
        help: ArgumentHelp(
            "Folder of the store, made if it is not there; a start needs free space on its disk. "
                + "none keeps everything in memory, and forgets it at the end. (default: "
                + "reload-router.store, in the working directory)",
            valueName: "folder"
        ),
        completion: .directory
    )
    var store: String?

    @Flag(
        help: ArgumentHelp(
            "Refuse to start where there is no store, in place of making one: for a disk that was "
                + "not mounted. The first one is made by \"reload-router store create\". (default: "
                + "one is made)"
        )
    )
    var storeMustExist = false

    @Option(
        help: ArgumentHelp(
            "When an input is acknowledged. full: when it is on the disk, so that it survives the "
                + "loss of power. os: when the system has it, so that it survives the end of this "
                + "process. none: at once; what has not been written when the process ends is "
                + "lost. (default: full)",
            valueName: "durability"
        )
    )
    var durability: String?

    @Option(
        help: ArgumentHelp(
            "Journal after which the state is written anew, so that a restart has no more to "
                + "replay than that, or half of the state. (default: 67108864)",
            valueName: "bytes"
        )
    )
    var checkpointAfter: String?

    @Option(
        help: ArgumentHelp(
            "Capture to record every accepted input to, with the time at which it came; a new file "
                + "each time. (default: nothing is recorded)",
            valueName: "file"
        ),
        completion: .file()
    )
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Size after which the capture goes on in another file. (default: 1073741824)",
            valueName: "bytes"
        )
    )
    var recordFileBytes: String?

    @Option(
        help: ArgumentHelp(
            "Time after which it does. (default: 3600)",
            valueName: "seconds"
        )
    )
    var recordFileSeconds: String?

    @Option(
        help: ArgumentHelp(
            "Files of the capture that stay; the oldest go. (default: all)",
            valueName: "files"
        )
    )
    var recordKeep: String?

    @Flag(
        help: ArgumentHelp(
            "Record hashes in place of values: which are equal is kept, what they are is not. "
                + "(default: values are recorded as they are)"
        )
    )
    var redact = false

    @Option(
        help: ArgumentHelp("Configuration file with these settings by name.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Longest frame body, announced to clients. (default: 65536)",
            valueName: "bytes"
        )
    )
    var maxBody: String?

    @Option(
        help: ArgumentHelp(
            "Most unacknowledged pushes of a publisher. (default: 8192)",
            valueName: "pushes"
        )
    )
    var window: String?

    @Option(
        help: ArgumentHelp(
            "Most connections; beyond, the oldest silent one makes room. At most 256 fewer than the "
                + "limit of open files (ulimit -n). (default: 65536)",
            valueName: "connections"
        )
    )
    var maxConnections: String?

    @Option(
        help: ArgumentHelp(
            "Most connections that have not said HELLO. (default: 4096)",
            valueName: "connections"
        )
    )
    var maxAwaitingHello: String?

    @Option(
        help: ArgumentHelp(
            "Most connections of one IPv4 address or IPv6 /64. (default: a quarter of "
                + "--max-connections; of loopback addresses all)",
            valueName: "connections"
        )
    )
    var maxConnectionsPerAddress: String?

    @Option(
        help: ArgumentHelp("Most producers, of all apps. (default: 65536)", valueName: "producers")
    )
    var maxProducers: String?

    @Option(
        help: ArgumentHelp(
            "Most producers of one app. (default: a quarter of --max-producers)",
            valueName: "producers"
        )
    )
    var maxProducersPerApp: String?

    @Option(
        help: ArgumentHelp(
            "How long a producer may be idle before it is forgotten, with its last sequence "
                + "number; only time that the router runs counts. (default: 1209600, two weeks)",
            valueName: "seconds"
        )
    )
    var producerIdle: String?

    @Option(
        help: ArgumentHelp("Most stored devices. (default: 16777216)", valueName: "devices")
    )
    var maxDevices: String?

    @Option(
        help: ArgumentHelp("Most widgets of one device. (default: 256)", valueName: "widgets")
    )
    var maxWidgetsPerDevice: String?

    @OptionGroup
    var quotas: ServeQuotas

    @Option(
        help: ArgumentHelp(
            "Silence before HELLO that ends a connection. (default: 10)",
            valueName: "seconds"
        )
    )
    var helloTimeout: String?

    @Option(
        help: ArgumentHelp(
            "Time that a frame once begun may take to be complete. (default: 30)",
            valueName: "seconds"
        )
    )
    var frameTimeout: String?

    @Option(
        help: ArgumentHelp(
            "Silence after which a PING is sent; two unanswered end the session. (default: 15)",
            valueName: "seconds"
        )
    )
    var pingInterval: String?

    @Option(
        help: ArgumentHelp(
            "Output of one connection beyond which its RELOADs wait. (default: 1048576)",
            valueName: "bytes"
        )
    )
    var outputLimit: String?

    @Option(
        help: ArgumentHelp(
            "Output of all connections beyond which nobody is read from. (default: 268435456, or a "
                + "16th of the memory if that is less)",
            valueName: "bytes"
        )
    )
    var outputTotal: String?

    @Option(
        help: ArgumentHelp(
            "Input of all connections that waits to become whole frames, beyond which the oldest "
                + "are ended. (default: 268435456, or a 16th of the memory if that is less)",
            valueName: "bytes"
        )
    )
    var inputTotal: String?

    @Option(
        help: ArgumentHelp(
            "Time a drain may take before what is left is closed, and up to 10 s more while the "
                + "store fails. (default: 10)",
            valueName: "seconds"
        )
    )
    var drainTimeout: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical. (default: info)",
            valueName: "level"
        )
    )
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "text, json, or auto: text on a terminal, JSON lines otherwise. (default: auto)",
            valueName: "format"
        )
    )
    var logFormat: String?

    func run() async throws {
        let settings = ServeSettings(
            flags: flags,
            file: try config.map { try ConfigurationFile.values(in: $0) }
        )
        let (logger, limiter) = try settings.logSettings().makeLogger()
        defer { limiter.report(isLast: true) }
        let notifier = try ServiceNotifier.of(.ofThisProcess())
        var configuration = try settings.serverConfiguration(memory: .find())
        configuration.version = Release.version
        let apps = try loadAppFile(configuration.appFile!)
        let recording = try settings.recording()
        if let warning = configuration.warning { logger.warning("\(warning)") }
        if let sentence = try ServeDescriptors().cap(&configuration.limits) {
            logger.warning("\(sentence)")
        }
        // Before the store is read, which takes a while if it is large: who asks is told so.
        let board = StatusBoard()
        let door = AdminDoor()
        let admin = try ServeAdmin(settings, logger)
        let adminServer = try admin?.start(board, door)
        defer { adminServer?.stop() }
        if let adminServer { printLine("admin on \(adminServer.address)") }
        notifier?.show("loading the store")
        let server = try makeServer(settings, configuration, apps, board, logger)
        server.answer(door)
        server.ties.logLimiter = limiter
        if let notifier { try server.report(to: notifier) }
        if let recording {
            var random = SystemRandomNumberGenerator()
            try server.record(recording, number: random.next())
        }
        server.ties.onHangUp = { admin?.readAgain() }
        for address in server.listeningAddresses { printLine("listening on \(address)") }
        let lost = try server.run()
        if lost > 0 { throw StoreLoss(records: lost) }
    }

    private func makeServer(
        _ settings: ServeSettings,
        _ configuration: ServerConfiguration,
        _ apps: LoadedAppFile,
        _ board: StatusBoard,
        _ logger: Logger
    ) throws -> Server {
        let durability = try settings.durability()
        let mustExist = try settings.storeMustExist()
        var random = SystemRandomNumberGenerator()
        let secrets = RouterSecrets(using: &random)
        guard let folder = try settings.storeFolder() else {
            logger.warning("there is no store: what is known is lost when this process ends")
            return try Server(
                configuration: configuration,
                apps: apps,
                seed: DecisionSeed(random.next()),
                secrets: secrets,
                board: board,
                logger: logger
            )
        }
        let store = ServeStore(folder: folder, mustExist: mustExist, durability: durability)
        return try Server(
            configuration: configuration,
            apps: apps,
            stored: store.open(configuration.limits, secrets, logger),
            board: board,
            logger: logger
        )
    }

    /// The flags that were given, under the names that all sources share.
    private var flags: [String: ConfigValue] {
        let given: [(String, String?)] = [
            ("admin", admin), ("admin-token-file", adminTokenFile), ("apps", apps),
            ("store", store), ("store-must-exist", storeMustExist ? "true" : nil),
            ("durability", durability),
            ("checkpoint-after", checkpointAfter), ("max-body", maxBody), ("window", window),
            ("max-connections", maxConnections), ("max-awaiting-hello", maxAwaitingHello),
            ("max-connections-per-address", maxConnectionsPerAddress),
            ("max-producers", maxProducers), ("max-producers-per-app", maxProducersPerApp),
            ("producer-idle", producerIdle),
            ("max-devices", maxDevices), ("max-widgets-per-device", maxWidgetsPerDevice),
            ("hello-timeout", helloTimeout), ("frame-timeout", frameTimeout),
            ("ping-interval", pingInterval), ("output-limit", outputLimit),
            ("output-total", outputTotal), ("input-total", inputTotal),
            ("drain-timeout", drainTimeout),
            ("record", record), ("record-file-bytes", recordFileBytes),
            ("record-file-seconds", recordFileSeconds), ("record-keep", recordKeep),
            ("redact", redact ? "true" : nil), ("log-level", logLevel), ("log-format", logFormat),
        ]
        var values: [String: ConfigValue] = [:]
        for (name, value) in given + quotas.given {
            if let value { values[name] = ConfigValue(.string(value), isSecret: false) }
        }
        if !listen.isEmpty {
            values["listen"] = ConfigValue(.stringArray(listen), isSecret: false)
        }
        return values
    }
}
