import CaptureFiles
import CommandSupport
import Configuration
import DurableStore
import HTTPServing
import LibuvLoop
import ReloadModel
import RouterServer
import RouterStore

/// Where `serve` reads a setting of `SettingsTable`: a flag beats the environment, which beats the
/// configuration file.
struct ServeSettings {
    private let reader: ConfigReader

    /// - Parameters:
    ///   - flags: what the command line gave, by name.
    ///   - file: what the configuration file gives, if one was named.
    ///   - environment: this process's, but for tests.
    init(
        flags: [String: ConfigValue],
        file: [String: ConfigValue]?,
        environment: EnvironmentVariablesProvider = EnvironmentVariablesProvider()
    ) {
        reader = ConfigReader(providers: [
            Self.provider(flags),
            environment.prefixKeys(with: "reload.router"),
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

    // MARK: - Values

    private var table: SettingsTable { .shared }

    /// The value of a setting, or its default.
    ///
    /// - Throws: `SettingsProblem` if what was given is no value of it.
    func value<Value>(_ setting: Setting<Value>) throws -> Value {
        guard let text = text(setting.description) else { return setting.standard }
        guard let value = setting.parse(text) else { throw setting.description.problem(text) }
        return value
    }

    func values(_ setting: ListSetting) -> [String] {
        reader.stringArray(
            forKey: ConfigKey([setting.description.name]),
            default: setting.standard
        )
    }

    private func text(_ setting: SettingDescription) -> String? {
        reader.string(forKey: ConfigKey([setting.name]))
    }

    private func isGiven(_ setting: LimitSetting) -> Bool { text(setting.description) != nil }

    /// The router's limits, as far as they do not depend on the machine.
    func limits() throws -> RouterLimits {
        var limits = RouterLimits()
        for setting in SettingsTable.limits {
            guard let text = text(setting.description) else { continue }
            if !setting.set(text, &limits) { throw setting.description.problem(text) }
        }
        return limits
    }

    // MARK: - The server's configuration

    /// Builds the server's configuration, or says what is wrong.
    ///
    /// - Parameter found: the memory of this machine; nil if the settings are another one's.
    /// - Returns: the configuration, with limits that fit in the memory.
    /// - Throws: `SettingsProblem` or `MemoryPlan.Problem`, with the setting.
    func serverConfiguration(memory found: MachineMemory?) throws -> ServerConfiguration {
        let endpoints = try endpoints()
        let plan = try memoryPlan(limits(), found)
        if let problem = plan.limits.problem { throw SettingsProblem(problem) }
        guard let apps = try value(table.apps) else {
            throw SettingsProblem(
                "no app file is named: give --apps FILE, or set RELOAD_ROUTER_APPS; "
                    + "deploy/examples/game/apps.json is one to start from"
            )
        }
        var checkpoints = CheckpointLimits()
        checkpoints.journalByteCount = try value(table.checkpointAfter)
        return ServerConfiguration(
            endpoints: endpoints,
            appFile: apps,
            limits: plan.limits,
            warning: plan.warning,
            checkpoints: checkpoints,
            drainTimeout: try value(table.drainTimeout)
        )
    }

    private func endpoints() throws -> [Endpoint] {
        try values(table.listen).map { text in
            guard let endpoint = Endpoint(listening: text) else {
                throw SettingsProblem(Endpoint.problem(text, of: "listen", suchAs: "*:7410"))
            }
            return endpoint
        }
    }

    private func memoryPlan(
        _ limits: RouterLimits,
        _ found: MachineMemory?
    ) throws -> MemoryPlan {
        var set: MemoryPlan.Settings = []
        if isGiven(table.storedTotal) { set.insert(.storedTotal) }
        if isGiven(table.outputTotal) { set.insert(.outputTotal) }
        if isGiven(table.inputTotal) { set.insert(.inputTotal) }
        var memory = found
        if let given = try value(table.memory) {
            memory = MachineMemory(byteCount: given, source: "the setting memory says so")
        }
        return try MemoryPlan(limits, set: set, hasStore: storeFolder() != nil, memory: memory)
    }

    // MARK: - What is beside the server

    /// Nil if there is to be no admin server.
    func adminAddress() throws -> ListeningAddress? {
        let text = try value(table.admin)
        if text == "none" { return nil }
        guard let endpoint = Endpoint(listening: text, defaultPort: 7_411) else {
            throw table.admin.description.problem(text)
        }
        guard let address = ListeningAddress(host: endpoint.host, port: endpoint.port) else {
            throw SettingsProblem(
                "admin is \(text); its host must be an address, such as 127.0.0.1:7411, [::1]:7411 "
                    + "or 0.0.0.0:7411"
            )
        }
        if try adminTokenFile() == nil && !address.isLoopback {
            throw SettingsProblem(
                "admin is \(text), which is no loopback address: whoever reaches it must have a "
                    + "token; name a file that begins with one: --admin-token-file FILE"
            )
        }
        return address
    }

    /// Nil if nobody is asked for a token, which loopback addresses allow.
    func adminTokenFile() throws -> String? { try value(table.adminTokenFile) }

    /// Nil if nothing is to be stored.
    func storeFolder() throws -> String? {
        let folder = try value(table.store)
        return folder == "none" ? nil : folder
    }

    /// Whether a folder without a store is refused.
    func storeMustExist() throws -> Bool {
        let mustExist = try value(table.storeMustExist)
        if try mustExist && storeFolder() == nil {
            throw SettingsProblem("store-must-exist is true, and the store is none")
        }
        return mustExist
    }

    func durability() throws -> Durability { try value(table.durability) }

    /// Nil if nothing is to be recorded.
    func recording() throws -> RecordingSettings? {
        guard let path = try value(table.record) else { return nil }
        var options = CaptureWriterOptions()
        options.fileByteLimit = try value(table.recordFileBytes)
        options.fileSecondLimit = try value(table.recordFileSeconds)
        options.keepsFiles = try value(table.recordKeep)
        options.isRedacted = try value(table.redact)
        return RecordingSettings(path: path, options: options)
    }

    func logSettings() throws -> LogSettings {
        try LogSettings(level: value(table.logLevel), format: value(table.logFormat))
    }
}
