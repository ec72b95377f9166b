import AdminHTTP
import Configuration
import DurableStore
import ReloadModel
import RouterDurability
import RouterServer
import SystemPackage

/// Where `serve` reads a setting: a flag beats the environment, which beats the configuration file.
///
/// Every setting has one name: `--max-body`, `RELOAD_ROUTER_MAX_BODY` and `{"max-body": …}`.
struct ServeSettings {
    /// All settings, for `--help` and to find misspelt ones in a configuration file.
    static let names = [
        "listen", "admin", "apps", "store", "durability", "checkpoint-after", "max-body", "window",
        "max-connections", "max-awaiting-hello", "max-devices", "max-widgets-per-device",
        "hello-timeout", "frame-timeout", "ping-interval", "output-limit", "output-total",
        "drain-timeout", "log-level", "log-format",
    ]

    private let reader: ConfigReader

    /// - Parameters:
    ///   - flags: what the command line gave, by name.
    ///   - file: the configuration file, if one was named.
    /// - Throws: `SettingsProblem` or what the file's provider throws.
    init(flags: [String: ConfigValue], file: String?) async throws {
        var providers: [any ConfigProvider] = [
            InMemoryProvider(
                values: Dictionary(
                    uniqueKeysWithValues: flags.map { (AbsoluteConfigKey([$0.key]), $0.value) }
                )
            ),
            EnvironmentVariablesProvider().prefixKeys(with: "reload.router"),
        ]
        if let file {
            providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
        }
        reader = ConfigReader(providers: providers)
    }

    /// Builds the server's configuration, or says what is wrong.
    func serverConfiguration() throws -> ServerConfiguration {
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
        limits.connectionsAwaitingHello = try integer(
            "max-awaiting-hello",
            limits.connectionsAwaitingHello
        )
        limits.devices = try integer("max-devices", limits.devices)
        limits.widgetsPerDevice = try integer("max-widgets-per-device", limits.widgetsPerDevice)
        limits.helloTimeout = try seconds("hello-timeout", limits.helloTimeout)
        limits.frameTimeout = try seconds("frame-timeout", limits.frameTimeout)
        limits.pingInterval = try seconds("ping-interval", limits.pingInterval)
        limits.connectionOutput = try integer("output-limit", limits.connectionOutput)
        limits.totalOutput = try integer("output-total", limits.totalOutput)
        if let problem = limits.problem { throw SettingsProblem(problem) }
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
            limits: limits,
            checkpoints: checkpoints,
            drainTimeout: try seconds("drain-timeout", 10_000)
        )
    }

    /// Nil if there is to be no admin server.
    func adminAddress() throws -> LoopbackAddress? {
        let text = reader.string(forKey: "admin", default: "127.0.0.1:7411")
        if text == "none" { return nil }
        guard let endpoint = ServerConfiguration.Endpoint(text, defaultPort: 7_411) else {
            throw SettingsProblem("admin is \(text); it must be HOST:PORT, or none")
        }
        guard let address = LoopbackAddress(host: endpoint.host, port: endpoint.port) else {
            throw SettingsProblem(
                "admin is \(text); it must be a loopback address, such as 127.0.0.1:7411 or "
                    + "[::1]:7411, because whoever reaches it is not asked for a token"
            )
        }
        return address
    }

    /// Nil if nothing is to be stored.
    func storeFolder() throws -> String? {
        let folder = reader.string(forKey: "store", default: "reload-router.store")
        if folder.isEmpty { throw SettingsProblem("store is empty; it must be a folder, or none") }
        return folder == "none" ? nil : folder
    }

    func durability() throws -> Durability {
        let text = reader.string(forKey: "durability", default: "full")
        guard let durability = Durability(rawValue: text) else {
            throw SettingsProblem("durability is \(text); it must be full, os or none")
        }
        return durability
    }

    func logSettings() throws -> LogSettings {
        try LogSettings(
            level: reader.string(forKey: "log-level", default: "info"),
            format: reader.string(forKey: "log-format", default: "auto")
        )
    }

    private func integer(_ name: String, _ standard: Int) throws -> Int {
        guard let text = try text(name) else { return standard }
        guard let value = Int(text), value >= 0 else {
            throw SettingsProblem("\(name) is \(text); it must be a whole number")
        }
        return value
    }

    /// Reads seconds, with decimals, as milliseconds.
    private func seconds(_ name: String, _ standard: Int64) throws -> Int64 {
        guard let text = try text(name) else { return standard }
        guard let value = Double(text), value >= 0, value < 1e9 else {
            throw SettingsProblem("\(name) is \(text); it must be a number of seconds")
        }
        return Int64(value * 1_000)
    }

    /// The setting as text: flags and the environment give text, a JSON file may give a number.
    private func text(_ name: String) throws -> String? {
        let key = ConfigKey([name])
        if let text = reader.string(forKey: key) { return text }
        if let value = reader.double(forKey: key) {
            return value == value.rounded() ? String(Int(value)) : String(value)
        }
        return nil
    }
}

/// A setting that cannot be taken, as a sentence.
struct SettingsProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
