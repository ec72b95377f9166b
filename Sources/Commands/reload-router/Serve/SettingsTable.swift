import Basics
import CaptureFiles
import CommandSupport
import Cryptography
import DurableStore
import Logging
import RouterStore

/// The settings of `serve`, each declared once.
///
/// A row defines a setting's flag with its help, its environment variable, its name in a
/// configuration file, its default, and how its value is read. The rows stand in the order of the
/// help.
struct SettingsTable: Sendable {
    static let shared = SettingsTable()
    /// All settings, in the order of the help.
    static let all = Mirror(reflecting: shared).children.compactMap {
        ($0.value as? any DescribedSetting)?.description
    }
    static let limits = Mirror(reflecting: shared).children.compactMap { $0.value as? LimitSetting }
    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The setting with a name; nil if there is none.
    static subscript(name: String) -> SettingDescription? { byName[name] }

    // MARK: - Where it listens, and what it reads

    let listen = Setting(
        "listen",
        defaultValue: ["localhost:7410"],
        unit: "host:port",
        rule: #"a list of HOST:PORT, such as ["*:7410"]"#,
        help: "Address to listen on; may be repeated.",
        defaultText: "localhost:7410, on 127.0.0.1 and [::1]; * is every address, port 0 picks one "
            + "and prints it"
    )
    let cert = Setting<[String]>(
        "cert",
        defaultValue: [],
        help: "Certificate with its chain (PEM), for TLS at all addresses; may be repeated, each "
            + "with its --key. A client gets the one for the name that it asks for, or else the "
            + "first. SIGHUP reads them again.",
        defaultText: "no TLS"
    )
    let key = Setting<[String]>(
        "key",
        defaultValue: [],
        help: "Private key of the --cert at the same place (PEM), which no other user can read.",
        defaultText: "none"
    )
    let tlsMinimum = Setting(
        "tls-minimum",
        defaultValue: TLSVersion.tls13,
        help: "Oldest version of TLS that is accepted."
    )
    let clientCA = Setting.file(
        "client-ca",
        help:
            "Authorities (PEM) whose certificates let clients in that the app file names by them; "
            + "a client with a certificate of another authority is refused. SIGHUP reads it again.",
        defaultText: "clients are asked for no certificate"
    )
    let insecure = Setting.flag(
        "insecure",
        help:
            "Listen without TLS at addresses that other machines reach, too, where anybody between "
            + "can read tokens and payloads; and allow \"open\" roles there.",
        defaultText: "such addresses need --cert"
    )
    let admin = Setting(
        "admin",
        defaultValue: "127.0.0.1:7411",
        unit: "host:port",
        rule: "HOST:PORT, or none",
        help: "Address of the admin HTTP server: dashboard, metrics, API (protocol/admin.md); none "
            + "disables it.",
        remark: "; port 0 picks one and prints it"
    )
    let publish = Setting(
        "publish",
        defaultValue: "none",
        unit: "host:port",
        rule: "HOST:PORT, or none",
        help: "Address of the HTTP listener for publishers that hold no session "
            + "(protocol/http.md); none: there is none. It speaks TLS if --cert is given.",
        remark: "; port 0 picks one and prints it"
    )
    let webHookOrigins = Setting(
        "webhook-origins",
        defaultValue: ["*"],
        unit: "origin",
        rule: #"a list of names such as ["eventgrid.azure.net"]"#,
        help: "Origin that is permitted to send CloudEvents to --publish when it asks with "
            + "WebHook-Request-Origin (protocol/http.md); may be repeated. Each event needs a "
            + "credential all the same.",
        defaultText: "*, all origins"
    )
    let httpIdle = Setting(
        "http-idle",
        defaultValue: Milliseconds.seconds(75),
        rule: "a number of seconds from 1 to 3600",
        help: "Time after which a connection over HTTP on which no request comes is closed; "
            + "longer than the idle time of a load balancer in front of the router."
    ) { (.seconds(1) ... .seconds(3_600)).contains($0) }
    let adminTLS = Setting<SettingChoice?>(
        "admin-tls",
        defaultValue: nil,
        help: "Whether the admin server speaks TLS (https), with the certificates of --cert. Off "
            + "at an address that other machines reach requires --insecure.",
        defaultText: "on if --cert is given and --admin is not loopback"
    )
    let adminClientCA = Setting.file(
        "admin-client-ca",
        help:
            "Authorities (PEM) whose certificates the admin server asks its clients for; a client "
            + "with a certificate of another authority is refused, one without is not. SIGHUP "
            + "reads it again.",
        defaultText: "clients are asked for no certificate"
    )
    let adminTokenFile = Setting.file(
        "admin-token-file",
        help: "File whose first line is a token of at least 16 characters that the admin server "
            + "lets in as admin. If it does not exist, it is made; SIGHUP reads it again. none: "
            + "only the operators of --operators are let in.",
        defaultText: "~/.local/state/reload-router/admin-token, where other commands find it"
    )
    let operators = Setting.file(
        "operators",
        help:
            "Operators of the admin server, by name, with their roles (protocol/admin.md); SIGHUP "
            + "reads it again.",
        defaultText: "none but the holder of the token file"
    )
    let auditLog = Setting.file(
        "audit-log",
        unit: .file("jsonl"),
        help: "File in which every command of an operator stands, as JSON lines; none keeps none.",
        defaultText: "the store's folder with .audit.jsonl after its name"
    )
    let auditSyslog = Setting.file(
        "audit-syslog",
        help:
            "Socket of syslog, such as /dev/log, to which each line of the audit log is sent, too.",
        defaultText: "lines are in the file alone"
    )
    let backupFolder = Setting.file(
        "backup-folder",
        unit: "folder",
        help: "Folder in which operators' backups are made.",
        defaultText: "operators can make none"
    )
    let apps = Setting.file(
        "apps",
        unit: .file("json"),
        help: "App file: the apps, who may connect, and their kinds' rules.",
        defaultText: nil
    )

    let coreFiles = Setting.flag(
        "core-files",
        help:
            "Let the system write a core file, and Swift a backtrace, if the process crashes. They "
            + "have what was in memory: keys, tokens that have just come, and payloads.",
        defaultText: "none is written"
    )
    let endWithInput = Setting.flag(
        "end-with-input",
        help: "Drain when standard input ends, as after SIGTERM: for a router that another program "
            + "starts, whose end it must not outlive.",
        defaultText: "standard input is not read"
    )

    // MARK: - Devices without a session

    let apnsKeys = Setting.file(
        "apns-keys",
        unit: "folder",
        help: "Folder with the teams' keys for Apple's push service, as Apple names their files: "
            + "AuthKey_ABCDE12345.p8, which no other user can read. SIGHUP reads them again "
            + "(deploy/apns.md).",
        defaultText: "devices of apps with \"apns\" in the app file are reached by sessions alone"
    )
    let apnsProduction = Setting(
        "apns-production",
        defaultValue: "api.push.apple.com:443",
        unit: "host:port",
        rule: "HOST:PORT",
        help: "Address of Apple's push service for apps from the App Store and TestFlight."
    )
    let apnsSandbox = Setting(
        "apns-sandbox",
        defaultValue: "api.sandbox.push.apple.com:443",
        unit: "host:port",
        rule: "HOST:PORT",
        help: "Address of Apple's push service for apps that Xcode has installed."
    )
    let apnsCA = Setting.file(
        "apns-ca",
        help: "Authorities (PEM) whose certificates these two addresses prove themselves by.",
        defaultText: "those that the system trusts"
    )
    let apnsPlaintext = Setting.flag(
        "apns-plaintext",
        help:
            "Push without TLS, to a mock on this machine (reload-lab apns-mock --plaintext): both "
            + "addresses must be of loopback.",
        defaultText: "pushes go over TLS"
    )

    // MARK: - What is stored

    let store = Setting(
        "store",
        defaultValue: "reload-router.store",
        unit: "folder",
        rule: "a folder, or none",
        help: "Folder of the store, created if it does not exist; a start needs free space on its "
            + "disk. none keeps everything in memory only, and loses it at the end.",
        remark: ", in the working directory"
    )
    let storeMustExist = Setting.flag(
        "store-must-exist",
        help: "Refuse to start if there is no store, instead of creating one: for a disk that was "
            + "not mounted. The first store is created by \"reload-router store create\".",
        defaultText: "a store is created"
    )
    let durability = Setting(
        "durability",
        defaultValue: Durability.full,
        help: "When an input is acknowledged. full: when it is on the disk, so that it survives "
            + "a loss of power. os: when the system has it, so that it survives the end of "
            + "this process. none: at once; inputs not yet written when the process ends are "
            + "lost."
    )
    let checkpointAfter = Setting(
        "checkpoint-after",
        defaultValue: CheckpointLimits().journalByteCount,
        unit: "bytes",
        help: "Size of the journal after which a checkpoint is written, so that a restart replays "
            + "no more than that, or half of the state."
    )

    // MARK: - What is recorded

    let record = Setting.file(
        "record",
        help: "Capture file in which every accepted input is recorded with its time of arrival; "
            + "an existing file is kept, and another name is used.",
        defaultText: "nothing is recorded"
    )
    let recordFileBytes = Setting(
        "record-file-bytes",
        defaultValue: CaptureWriterOptions().fileByteLimit,
        unit: "bytes",
        help: "Size after which the capture continues in another file."
    )
    let recordFileSeconds = Setting(
        "record-file-seconds",
        defaultValue: CaptureWriterOptions().fileSecondLimit,
        unit: "seconds",
        help: "Time after which the capture continues in another file."
    )
    let recordKeep = Setting<Int?>(
        "record-keep",
        defaultValue: nil,
        unit: "files",
        rule: "a whole number of at least 1",
        help: "Number of capture files to keep; the oldest are deleted.",
        defaultText: "all"
    ) { $0 != 0 }
    let redact = Setting.flag(
        "redact",
        help: "Record hashes in place of values: equal values stay equal, nothing else is kept.",
        defaultText: "values are recorded as they are"
    )

    // MARK: - How much at a time

    let maxBody = LimitSetting(
        "max-body",
        limit: \.maxBody,
        unit: "bytes",
        help: "Longest frame body, announced to clients."
    )
    let window = LimitSetting(
        "window",
        limit: \.window,
        unit: "pushes",
        help: "Maximum number of unacknowledged pushes of a publisher."
    )
    let maxConnections = LimitSetting(
        "max-connections",
        limit: \.connections,
        unit: "connections",
        help: "Maximum number of connections; beyond it, the oldest silent one is closed. At most "
            + "256 fewer than the limit of open files (ulimit -n).",
        remark: ", or as many as fit in the memory"
    )
    let maxAwaitingHello = LimitSetting(
        "max-awaiting-hello",
        limit: \.connectionsAwaitingHello,
        unit: "connections",
        help: "Maximum number of connections that have not sent HELLO."
    )
    let maxConnectionsPerAddress = LimitSetting(
        "max-connections-per-address",
        limit: \.connectionsPerAddress,
        unit: "connections",
        help: "Maximum number of connections of one IPv4 address or IPv6 /64.",
        defaultValue: "a quarter of --max-connections; all of them for loopback addresses"
    )
    let maxProducers = LimitSetting(
        "max-producers",
        limit: \.producers,
        unit: "producers",
        help: "Maximum number of producers of all apps."
    )
    let maxProducersPerApp = LimitSetting(
        "max-producers-per-app",
        limit: \.producersPerApp,
        unit: "producers",
        help: "Maximum number of producers of one app.",
        defaultValue: "a quarter of --max-producers"
    )
    let producerIdle = LimitSetting(
        "producer-idle",
        limit: \.producerIdle,
        help: "Time that a producer may be idle before it is forgotten, with its last sequence "
            + "number; only time in which the router runs counts.",
        remark: ", two weeks"
    )
    let deviceIdle = LimitSetting(
        "device-idle",
        limit: \.deviceIdle,
        help: "Time after which a device is removed with all that is stored for it if nothing is "
            + "heard of it; only time in which the router runs counts.",
        remark: ", 400 days"
    )

    let maxRequestKeysPerApp = LimitSetting(
        "max-request-keys-per-app",
        limit: \.requestKeysPerApp,
        unit: "keys",
        help:
            "Maximum number of keys of requests to --publish that are kept of one app, for a day; "
            + "beyond it, its oldest ones are forgotten.",
        defaultValue: "an equal share of 1,000,000 for each app"
    )

    // MARK: - How much in all

    let maxDevices = LimitSetting(
        "max-devices",
        limit: \.devices,
        unit: "devices",
        help: "Maximum number of stored devices."
    )
    let maxWidgetsPerDevice = LimitSetting(
        "max-widgets-per-device",
        limit: \.widgetsPerDevice,
        unit: "widgets",
        help: "Maximum number of widgets of one device."
    )
    let maxWidgets = LimitSetting(
        "max-widgets",
        limit: \.widgets,
        unit: "widgets",
        help: "Maximum number of stored widgets of all devices."
    )
    let maxKindsPerApp = LimitSetting(
        "max-kinds-per-app",
        limit: \.kindsPerApp,
        unit: "kinds",
        help: "Maximum number of kinds of an app; an app file with more is refused."
    )
    let storedTotal = LimitSetting(
        "stored-total",
        limit: \.storedBytes,
        unit: "bytes",
        help: "Memory that all stored devices and widgets may take; beyond it, more are refused.",
        defaultValue: "what remains of the machine's memory"
    )
    let appMaxDevices = LimitSetting(
        "app-max-devices",
        limit: \.appQuotas.devices,
        unit: "devices",
        help: "Maximum number of devices of an app whose \"quotas\" do not set it.",
        defaultValue: "--max-devices"
    )
    let appMaxWidgets = LimitSetting(
        "app-max-widgets",
        limit: \.appQuotas.widgets,
        unit: "widgets",
        help: "Maximum number of widgets of an app whose \"quotas\" do not set it.",
        defaultValue: "--max-widgets"
    )
    let appStoredBytes = LimitSetting(
        "app-stored-bytes",
        limit: \.appQuotas.storedBytes,
        unit: "bytes",
        help: "Memory for the devices and widgets of an app whose \"quotas\" do not set it.",
        defaultValue: "--stored-total"
    )
    let appMaxSessions = LimitSetting(
        "app-max-sessions",
        limit: \.appQuotas.sessions,
        unit: "sessions",
        help: "Maximum number of sessions of an app whose \"quotas\" do not set it.",
        defaultValue: "--max-connections"
    )
    let memory = Setting<Int?>(
        "memory",
        defaultValue: nil,
        unit: "bytes",
        help: "Memory that the router may use; at least 134217728.",
        defaultText: "the smallest of the machine's memory and its control groups' limits"
    )

    // MARK: - How long

    let helloTimeout = LimitSetting(
        "hello-timeout",
        limit: \.helloTimeout,
        help: "Silence before HELLO that ends a connection."
    )
    let frameTimeout = LimitSetting(
        "frame-timeout",
        limit: \.frameTimeout,
        help: "Time that a frame may take from its first byte to its last."
    )
    let pingInterval = LimitSetting(
        "ping-interval",
        limit: \.pingInterval,
        help: "Silence after which a PING is sent; two unanswered end the session."
    )
    let outputLimit = LimitSetting(
        "output-limit",
        limit: \.connectionOutput,
        unit: "bytes",
        help: "Output of one connection beyond which its RELOADs wait."
    )
    let outputTotal = LimitSetting(
        "output-total",
        limit: \.totalOutput,
        unit: "bytes",
        help: "Output of all connections beyond which no connection is read.",
        remark: ", or less on a machine with less than 4 GiB"
    )
    let inputTotal = LimitSetting(
        "input-total",
        limit: \.totalInput,
        unit: "bytes",
        help: "Input of all connections in incomplete frames, beyond which the oldest connections "
            + "are ended.",
        remark: ", or less on a machine with less than 4 GiB"
    )
    let drainTimeout = Setting(
        "drain-timeout",
        defaultValue: Milliseconds.seconds(10),
        help: "Time a drain may take before remaining connections are closed; up to 10 s more "
            + "while the store fails."
    )

    // MARK: - What it says

    let logLevel = Setting(
        "log-level",
        defaultValue: Logger.Level.info,
        help: "\(Logger.Level.rule)."
    )
    let logFormat = Setting(
        "log-format",
        defaultValue: LogSettings.Format.auto,
        help: "Format of the log: text, json, or auto: text on a terminal, JSON lines otherwise."
    )
}
