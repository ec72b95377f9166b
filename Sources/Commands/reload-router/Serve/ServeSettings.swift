import AdminAPI
import Basics
import CaptureFiles
import CommandSupport
import Cryptography
import DurableStore
import Glibc
import HTTPServing
import LibuvLoop
import Platform
import RouterServer
import RouterStore

/// Reads the settings of `SettingsTable` for `serve`: a flag beats the environment, which beats the
/// configuration file.
struct ServeSettings {
    /// A value as it was given.
    enum Given: Equatable {
        case text(String)
        case list([String])
    }

    private let flags: [String: Given]
    private let environment: (String) -> String?
    private let file: [String: Given]

    /// Settings by name: of the command line, and of the configuration file if one is named.
    /// `environment` returns a variable by name.
    init(
        flags: [String: Given],
        file: [String: Given]?,
        environment: @escaping (String) -> String? = environmentVariable
    ) {
        self.flags = flags
        self.environment = environment
        self.file = file ?? [:]
    }

    // MARK: - Values

    /// The value of a setting, or its default.
    func value<Value>(_ row: KeyPath<SettingsTable, Setting<Value>>) throws -> Value {
        try value(SettingsTable.shared[keyPath: row])
    }

    /// The value of a row of the table.
    func value<Value>(_ setting: Setting<Value>) throws -> Value {
        guard let given = given(setting.description) else { return setting.defaultValue }
        guard let value = setting.read(given) else {
            throw setting.description.problem(text(setting.description) ?? "")
        }
        return value
    }

    private func text(_ setting: SettingDescription) -> String? {
        switch given(setting) {
        case .text(let text): text
        case .list, nil: nil
        }
    }

    private func given(_ setting: SettingDescription) -> Given? {
        flags[setting.name] ?? environment(setting.variable).map { .text($0) } ?? file[setting.name]
    }

    private func isGiven(_ row: KeyPath<SettingsTable, LimitSetting>) -> Bool {
        text(SettingsTable.shared[keyPath: row].description) != nil
    }

    /// The router's limits as set, without those that follow from the machine's memory.
    func limits() throws -> RouterLimits {
        var limits = RouterLimits()
        for setting in SettingsTable.limits {
            guard let text = text(setting.description) else { continue }
            if !setting.set(text, &limits) { throw setting.description.problem(text) }
        }
        return limits
    }

    // MARK: - The server's configuration

    /// Builds the server's configuration, with limits that fit in this machine's memory; there is
    /// none if the settings are meant for another machine.
    ///
    /// - Throws: `SettingsProblem` or `MemoryPlan.Problem`, which name the setting.
    func serverConfiguration(memory found: MachineMemory?) throws -> ServerConfiguration {
        let endpoints = try endpoints()
        try requireProtection(of: endpoints)
        let plan = try memoryPlan(limits(), memory: found)
        if let problem = plan.limits.problem { throw SettingsProblem(problem) }
        guard let apps = try value(\.apps) else {
            throw SettingsProblem(
                "no app file is named: give --apps FILE, or set RELOAD_ROUTER_APPS; "
                    + "deploy/examples/game/apps.json is one to start from"
            )
        }
        var checkpoints = CheckpointLimits()
        checkpoints.journalByteCount = try value(\.checkpointAfter)
        checkpoints.fit(
            journal: plan.shares.journal,
            answers: plan.shares.answers,
            table: plan.shares.tableBuffer
        )
        var configuration = ServerConfiguration(
            endpoints: endpoints,
            allowsOpenRoles: try value(\.insecure)
                || (endpoints.allSatisfy(\.isLoopback)
                    && publishAddress()?.isLoopback ?? true),
            appFile: apps,
            limits: plan.limits,
            warning: plan.warning,
            checkpoints: checkpoints,
            drainTimeout: try value(\.drainTimeout)
        )
        configuration.memory = plan.shares
        configuration.backupFolder = try value(\.backupFolder)
        return configuration
    }

    /// Refuses addresses that other machines reach, and that speak without TLS.
    private func requireProtection(of endpoints: [Endpoint]) throws {
        if try !value(\.cert).isEmpty { return }
        if try value(\.insecure) { return }
        guard let open = endpoints.first(where: { !$0.isLoopback }) else { return }
        throw Self.unprotected(
            "listen is \(open)",
            remedy: "\(Self.identityFlags) (\"reload-router cert new\" makes them for trials)"
        )
    }

    private static var identityFlags: String { "--cert FILE and --key FILE for TLS" }

    private static func unprotected(_ address: String, remedy: String) -> SettingsProblem {
        SettingsProblem(
            "\(address), which other machines reach: give \(remedy), or --insecure for a network "
                + "that you trust"
        )
    }

    /// How the server proves itself with TLS, from the files as they are now; nil to speak without.
    func security(from source: SecretFile.Source = .filesAndPipes) throws -> ServerSecurity? {
        let (certificates, keys) = try (value(\.cert), value(\.key))
        if certificates.count != keys.count {
            throw SettingsProblem(
                "cert names \(certificates.count) files and key \(keys.count); each certificate has "
                    + "its key"
            )
        }
        if certificates.isEmpty {
            if try value(\.clientCA) == nil { return nil }
            throw SettingsProblem("client-ca is for TLS, which cert and key switch on")
        }
        let identities = try zip(certificates, keys).map {
            try Identity(certificate: $0, key: $1, from: source)
        }
        return ServerSecurity(
            identities,
            minimum: try value(\.tlsMinimum),
            clientAuthorities: try value(\.clientCA).map { path in
                try SecretFile.trusted(path, of: "client-ca", from: source)
            }
        )
    }

    /// How the admin server proves itself with TLS, from the files as they are now; nil to speak
    /// without.
    func adminSecurity(from source: SecretFile.Source = .filesAndPipes) throws -> ServerSecurity? {
        guard let address = try adminAddress(), try adminSpeaksTLS(at: address) else { return nil }
        guard var security = try security(from: source) else {
            throw SettingsProblem(
                "admin-tls is on, and there is no certificate: give --cert FILE and --key FILE"
            )
        }
        security.clientAuthorities = try value(\.adminClientCA).map { path in
            try SecretFile.trusted(path, of: "admin-client-ca", from: source)
        }
        return security
    }

    private func adminSpeaksTLS(at address: ListeningAddress) throws -> Bool {
        if let choice = try value(\.adminTLS) { return choice == .on }
        return try !address.isLoopback && !value(\.cert).isEmpty
    }

    private func endpoints() throws -> [Endpoint] {
        try value(\.listen).map { text in
            guard let endpoint = Endpoint(listening: text) else {
                throw SettingsProblem(Endpoint.problem(text, of: "listen", suchAs: "*:7410"))
            }
            return endpoint
        }
    }

    private func memoryPlan(
        _ limits: RouterLimits,
        memory found: MachineMemory?
    ) throws -> MemoryPlan {
        var set: MemoryPlan.Settings = []
        if isGiven(\.storedTotal) { set.insert(.storedTotal) }
        if isGiven(\.outputTotal) { set.insert(.outputTotal) }
        if isGiven(\.inputTotal) { set.insert(.inputTotal) }
        if isGiven(\.maxConnections) { set.insert(.connections) }
        var memory = found
        if let given = try value(\.memory) {
            memory = MachineMemory(byteCount: given, source: "set by the setting memory")
        }
        return try MemoryPlan(
            limits,
            set: set,
            hasStore: storeFolder() != nil,
            hasTLS: !value(\.cert).isEmpty,
            memory: memory
        )
    }

    // MARK: - Everything but the server

    /// The address of the admin server; nil if there is to be none.
    func adminAddress() throws -> ListeningAddress? {
        guard let address = try address(\.admin, defaultPort: 7_411) else { return nil }
        try requireProtection(ofAdmin: address)
        return address
    }

    /// The address of a server over HTTP; nil if there is to be none.
    private func address(
        _ row: KeyPath<SettingsTable, Setting<String>>,
        defaultPort port: UInt16
    ) throws -> ListeningAddress? {
        let text = try value(row)
        if text == "none" { return nil }
        if let endpoint = Endpoint(listening: text, defaultPort: port),
            let address = ListeningAddress(host: endpoint.host, port: endpoint.port)
        {
            return address
        }
        throw SettingsProblem(
            SettingsTable.shared[keyPath: row].description.name,
            value: text,
            rule: "an address and a port, such as 127.0.0.1:\(port), [::1]:\(port) or "
                + "0.0.0.0:\(port), or none"
        )
    }

    /// Refuses an address of the admin server that other machines reach without TLS, and
    /// authorities of clients without TLS.
    private func requireProtection(ofAdmin address: ListeningAddress) throws {
        if try adminSpeaksTLS(at: address) { return }
        if try value(\.adminClientCA) != nil {
            throw SettingsProblem(
                "admin-client-ca is for TLS, which the admin server speaks with --admin-tls on"
            )
        }
        if try address.isLoopback || value(\.insecure) { return }
        let isOff = try value(\.adminTLS) == .off
        throw Self.unprotected(
            "admin is \(address)",
            remedy: isOff ? "--admin-tls on" : Self.identityFlags
        )
    }

    /// The address of the listener for publishers over HTTP; nil if there is to be none.
    func publishAddress() throws -> ListeningAddress? {
        guard let address = try address(\.publish, defaultPort: 7_412) else { return nil }
        if try !value(\.cert).isEmpty || address.isLoopback || value(\.insecure) { return address }
        throw Self.unprotected("publish is \(address)", remedy: Self.identityFlags)
    }

    /// The file of the admin token, made if it does not exist; nil if there is to be none.
    func adminTokenFile() throws -> String? {
        let file = try value(\.adminTokenFile)
        if file == "none" {
            if try value(\.operators) != nil { return nil }
            throw SettingsProblem(
                "admin-token-file is none, and no operators are named: nobody could use the admin "
                    + "server; give --operators FILE, or --admin none"
            )
        }
        if let path = file ?? AdminTokenFile.defaultPath { return path }
        throw SettingsProblem(
            "neither XDG_STATE_HOME nor HOME says where the admin server's token is kept: give "
                + "--admin-token-file FILE, or --admin none"
        )
    }

    /// Whether the admin server is for users of this machine who need set up nothing.
    func isAdminLocal() throws -> Bool {
        let isSetUp = try value(\.adminTokenFile) != nil || value(\.operators) != nil
        return try !isSetUp && adminAddress()?.isLoopback == true
    }

    /// The file of the audit log; nil if there is to be none.
    func auditLog() throws -> String? {
        let file = try value(\.auditLog)
        if file == "none" { return nil }
        return try file ?? storeFolder().map { "\($0).audit.jsonl" }
    }

    /// Where the lines of the audit log are sent, too; nil for nowhere.
    func auditSyslog() throws -> AuditSyslog? {
        guard let path = try value(\.auditSyslog), path != "none" else { return nil }
        do throws(NotificationError) {
            return try AuditSyslog(path, process: getpid())
        } catch {
            throw SettingsProblem("audit-syslog is \(path): \(error)")
        }
    }

    /// The folder of the store; nil if nothing is to be stored.
    func storeFolder() throws -> String? {
        let folder = try value(\.store)
        if folder == "none" { return nil }
        let end = folder.lastIndex { $0 != "/" }
        return end.map { String(folder[...$0]) } ?? folder
    }

    /// True if a folder without a store is to be refused.
    func storeMustExist() throws -> Bool {
        let mustExist = try value(\.storeMustExist)
        if try mustExist && storeFolder() == nil {
            throw SettingsProblem("store-must-exist is true, and the store is none")
        }
        return mustExist
    }

    /// Where to record accepted inputs; nil if nothing is to be recorded.
    func recording() throws -> RecordingSettings? {
        guard let path = try value(\.record) else { return nil }
        var options = CaptureWriterOptions()
        options.fileByteLimit = try value(\.recordFileBytes)
        options.fileSecondLimit = try value(\.recordFileSeconds)
        options.keepsFiles = try value(\.recordKeep)
        options.isRedacted = try value(\.redact)
        return RecordingSettings(path: path, options: options)
    }

    func logSettings() throws -> LogSettings {
        try LogSettings(level: value(\.logLevel), format: value(\.logFormat))
    }
}
