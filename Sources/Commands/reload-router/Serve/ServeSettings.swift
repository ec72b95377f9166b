import CaptureFiles
import CommandSupport
import Configuration
import DurableStore
import HTTPServing
import ReloadModel
import RouterDurability
import RouterServer

/// Where `serve` reads a setting: a flag beats the environment, which beats the configuration file.
///
/// Every setting has one name: `--max-body`, `RELOAD_ROUTER_MAX_BODY` and `{"max-body": …}`.
struct ServeSettings {
    /// What a setting is.
    struct Setting {
        enum ValueType {
            case text
            case number
            case flag
            case list
        }

        let type: ValueType
        /// Ends a sentence: what it must be.
        let rule: String

        init(_ type: ValueType, _ rule: String) {
            self.type = type
            self.rule = rule
        }

        func problem(_ name: String, _ value: String) -> SettingsProblem {
            SettingsProblem(name, value, rule)
        }
    }

    private static let whole = Setting(.number, "a whole number")
    private static let seconds = Setting(.number, "a number of seconds")

    /// All settings by name.
    static let settings = [
        "listen": Setting(.list, #"a list of HOST:PORT, such as ["*:7410"]"#),
        "admin": Setting(.text, "HOST:PORT, or none"),
        "admin-token-file": Setting(.text, "a file"),
        "apps": Setting(.text, "a file"),
        "store": Setting(.text, "a folder, or none"),
        "store-must-exist": Setting(.flag, "true or false"),
        "durability": Setting(.text, "full, os or none"),
        "checkpoint-after": whole, "max-body": whole, "window": whole, "max-connections": whole,
        "max-producers": whole, "max-producers-per-app": whole, "producer-idle": seconds,
        "max-awaiting-hello": whole, "max-devices": whole, "max-widgets-per-device": whole,
        "hello-timeout": seconds, "frame-timeout": seconds, "ping-interval": seconds,
        "record": Setting(.text, "a file"), "record-file-bytes": whole,
        "record-file-seconds": whole, "record-keep": Setting(.number, "a whole number from 1 on"),
        "redact": Setting(.flag, "true or false"), "output-limit": whole, "output-total": whole,
        "input-total": whole, "max-connections-per-address": whole,
        "stored-total": whole, "max-widgets": whole, "max-kinds-per-app": whole,
        "app-max-devices": whole, "app-max-widgets": whole, "app-stored-bytes": whole,
        "app-max-sessions": whole, "memory": whole,
        "drain-timeout": seconds,
        "log-level": Setting(.text, LogSettings.levels),
        "log-format": Setting(.text, LogSettings.formats),
    ]

    /// The error for a value that a setting cannot have.
    static func problem(_ name: String, _ value: String) -> SettingsProblem {
        settings[name]!.problem(name, value)
    }

    private let reader: ConfigReader

    /// - Parameters:
    ///   - flags: what the command line gave, by name.
    ///   - file: what the configuration file gives, if one was named.
    init(flags: [String: ConfigValue], file: [String: ConfigValue]?) {
        reader = ConfigReader(providers: [
            Self.provider(flags),
            EnvironmentVariablesProvider().prefixKeys(with: "reload.router"),
            Self.provider(file ?? [:]),
        ])
    }

    private static func provider(_ values: [String: ConfigValue]) -> any ConfigProvider {
        InMemoryProvider(
            values: Dictionary(
                uniqueKeysWithValues: values.map { (AbsoluteConfigKey([$0.key]), $0.value) }
            )
        )
    }

    /// Builds the server's configuration, or says what is wrong.
    ///
    /// - Parameter found: the memory of this machine; nil if the settings are another one's.
    /// - Returns: the configuration, with limits that fit in the memory.
    /// - Throws: `SettingsProblem` or `MemoryPlan.Problem`, with the setting.
    func serverConfiguration(memory found: MachineMemory?) throws -> ServerConfiguration {
        let listen = reader.stringArray(forKey: "listen", default: ["localhost:7410"])
        let endpoints = try listen.map { text in
            guard let endpoint = ServerConfiguration.Endpoint(text) else {
                throw SettingsProblem("listen is \(text); it must be HOST:PORT, such as *:7410")
            }
            return endpoint
        }
        var limits = RouterLimits()
        limits.maxBody = try integer("max-body", limits.maxBody)
        limits.window = try integer("window", limits.window)
        limits.connections = try integer("max-connections", limits.connections)
        limits.connectionsPerAddress = try optionalInteger("max-connections-per-address")
        limits.connectionsAwaitingHello = try integer(
            "max-awaiting-hello",
            limits.connectionsAwaitingHello
        )
        limits.producers = try integer("max-producers", limits.producers)
        limits.producersPerApp = try optionalInteger("max-producers-per-app")
        limits.producerIdle = try seconds("producer-idle", limits.producerIdle)
        limits.devices = try integer("max-devices", limits.devices)
        limits.widgetsPerDevice = try integer("max-widgets-per-device", limits.widgetsPerDevice)
        limits.helloTimeout = try seconds("hello-timeout", limits.helloTimeout)
        limits.frameTimeout = try seconds("frame-timeout", limits.frameTimeout)
        limits.pingInterval = try seconds("ping-interval", limits.pingInterval)
        limits.connectionOutput = try integer("output-limit", limits.connectionOutput)
        limits.totalOutput = try integer("output-total", limits.totalOutput)
        limits.totalInput = try integer("input-total", limits.totalInput)
        try readQuotas(&limits)
        let plan = try memoryPlan(limits, found)
        if let problem = plan.limits.problem { throw SettingsProblem(problem) }
        guard let apps = reader.string(forKey: "apps") else {
            throw SettingsProblem(
                "no app file is named: give --apps FILE, or set RELOAD_ROUTER_APPS; "
                    + "deploy/examples/game/apps.json is one to start from"
            )
        }
        var checkpoints = CheckpointLimits()
        checkpoints.journalByteCount = try integer(
            "checkpoint-after",
            checkpoints.journalByteCount
        )
        return ServerConfiguration(
            endpoints: endpoints,
            appFile: apps,
            limits: plan.limits,
            warning: plan.warning,
            checkpoints: checkpoints,
            drainTimeout: try seconds("drain-timeout", 10_000)
        )
    }

    /// What is stored, by app and in all.
    private func readQuotas(_ limits: inout RouterLimits) throws {
        limits.widgets = try integer("max-widgets", limits.widgets)
        limits.storedBytes = try integer("stored-total", limits.storedBytes)
        limits.kindsPerApp = try integer("max-kinds-per-app", limits.kindsPerApp)
        limits.appQuotas.devices = try optionalInteger("app-max-devices")
        limits.appQuotas.widgets = try optionalInteger("app-max-widgets")
        limits.appQuotas.storedBytes = try optionalInteger("app-stored-bytes")
        limits.appQuotas.sessions = try optionalInteger("app-max-sessions")
    }

    private func memoryPlan(
        _ limits: RouterLimits,
        _ found: MachineMemory?
    ) throws -> MemoryPlan {
        var set: MemoryPlan.Settings = []
        if text("stored-total") != nil { set.insert(.storedTotal) }
        if text("output-total") != nil { set.insert(.outputTotal) }
        if text("input-total") != nil { set.insert(.inputTotal) }
        var memory = found
        if let given = try optionalInteger("memory") {
            memory = MachineMemory(byteCount: given, source: "the setting memory says so")
        }
        return try MemoryPlan(limits, set: set, hasStore: storeFolder() != nil, memory: memory)
    }

    /// Nil if there is to be no admin server.
    func adminAddress() throws -> ListeningAddress? {
        let text = reader.string(forKey: "admin", default: "127.0.0.1:7411")
        if text == "none" { return nil }
        guard let endpoint = ServerConfiguration.Endpoint(text, defaultPort: 7_411) else {
            throw Self.problem("admin", text)
        }
        guard let address = ListeningAddress(host: endpoint.host, port: endpoint.port) else {
            throw SettingsProblem(
                "admin is \(text); its host must be an address, such as 127.0.0.1:7411, [::1]:7411 "
                    + "or 0.0.0.0:7411"
            )
        }
        if adminTokenFile == nil && !address.isLoopback {
            throw SettingsProblem(
                "admin is \(text), which is no loopback address: whoever reaches it must have a "
                    + "token; name a file that begins with one: --admin-token-file FILE"
            )
        }
        return address
    }

    /// Nil if nobody is asked for a token, which loopback addresses allow.
    var adminTokenFile: String? { reader.string(forKey: "admin-token-file") }

    /// Nil if nothing is to be stored.
    func storeFolder() throws -> String? {
        let folder = reader.string(forKey: "store", default: "reload-router.store")
        if folder.isEmpty { throw Self.problem("store", "empty") }
        return folder == "none" ? nil : folder
    }

    /// Whether a folder without a store is refused.
    func storeMustExist() throws -> Bool {
        let mustExist = try flag("store-must-exist")
        if try mustExist && storeFolder() == nil {
            throw SettingsProblem("store-must-exist is true, and the store is none")
        }
        return mustExist
    }

    func durability() throws -> Durability {
        let text = reader.string(forKey: "durability", default: "full")
        guard let durability = Durability(rawValue: text) else {
            throw Self.problem("durability", text)
        }
        return durability
    }

    /// Nil if nothing is to be recorded.
    func recording() throws -> RecordingSettings? {
        guard let path = reader.string(forKey: "record") else { return nil }
        if path.isEmpty { throw Self.problem("record", "empty") }
        var options = CaptureWriterOptions()
        options.fileByteLimit = try integer("record-file-bytes", options.fileByteLimit)
        options.fileSecondLimit = try integer("record-file-seconds", options.fileSecondLimit)
        if let text = text("record-keep") {
            guard let count = Int(text), count > 0 else { throw Self.problem("record-keep", text) }
            options.keepsFiles = count
        }
        options.isRedacted = try flag("redact")
        return RecordingSettings(path: path, options: options)
    }

    func logSettings() throws -> LogSettings {
        try LogSettings(
            level: reader.string(forKey: "log-level", default: "info"),
            format: reader.string(forKey: "log-format", default: "auto")
        )
    }

    private func optionalInteger(_ name: String) throws -> Int? {
        text(name) == nil ? nil : try integer(name, 0)
    }

    private func integer(_ name: String, _ standard: Int) throws -> Int {
        guard let text = text(name) else { return standard }
        guard let value = Int(text), value >= 0 else {
            throw Self.problem(name, text)
        }
        return value
    }

    /// Reads seconds, with decimals, as milliseconds.
    private func seconds(_ name: String, _ standard: Int64) throws -> Int64 {
        guard let text = text(name) else { return standard }
        guard let value = Double(text), value >= 0, value < 1e9 else {
            throw Self.problem(name, text)
        }
        return Int64(value * 1_000)
    }

    private func text(_ name: String) -> String? { reader.string(forKey: ConfigKey([name])) }

    /// A setting that is so or not.
    private func flag(_ name: String) throws -> Bool {
        guard let text = text(name) else { return false }
        guard let value = Bool(text) else { throw Self.problem(name, text) }
        return value
    }
}
