import ArgumentParser
import Basics
import Testing

@testable import reload_router

@Suite("Settings of serve")
struct SettingsTableTests {
    /// A value of a setting that is not its default.
    private func sample(_ setting: SettingDescription) -> String {
        switch setting.name {
        case "durability": "os"
        case "tls-minimum": "1.2"
        case "admin-tls": "on"
        case "log-level": "debug"
        case "log-format": "json"
        default:
            switch setting.form {
            case .text: "some-\(setting.name)"
            case .number: "17"
            case .flag: "true"
            case .list: "h:1"
            }
        }
    }

    // MARK: - The three ways

    private func settings(flags arguments: [String]) throws -> ServeSettings {
        let flags = try SettingFlags.parse(arguments).given
        return ServeSettings(flags: flags, file: nil, environment: environment([:]))
    }

    private func settings(environment variables: [String: String]) -> ServeSettings {
        ServeSettings(flags: [:], file: nil, environment: environment(variables))
    }

    private func settings(file json: String) throws -> ServeSettings {
        let values = try ConfigurationFile.values(of: Array(json.utf8), path: "f")
        return ServeSettings(flags: [:], file: values, environment: environment([:]))
    }

    private func environment(_ variables: [String: String]) -> (String) -> String? {
        { variables[$0] }
    }

    private func variable(_ name: String) -> String {
        "RELOAD_ROUTER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// A value as a file has it: a number as a number, a list as an array.
    private func json(_ value: String, _ form: SettingDescription.Form) -> String {
        switch form {
        case .text: "\"\(value)\""
        case .number, .flag: value
        case .list: "[\"\(value)\"]"
        }
    }

    // MARK: - Tests

    @Test func `can each be given by flag, in the environment and in a file, and mean the same`()
        throws
    {
        let defaultValue = try SettingsImage(settings(environment: [:]))
        for setting in SettingsTable.all {
            let name = setting.name
            let value = sample(setting)
            let flags = setting.form == .flag ? ["--\(name)"] : ["--\(name)", value]
            let image = try SettingsImage(settings(flags: flags))
            #expect(image.differing(from: defaultValue) == [name], "--\(name)")
            #expect(
                try SettingsImage(settings(environment: [variable(name): value])) == image,
                "\(variable(name))"
            )
            let file = "{\"\(name)\": \(json(value, setting.form))}"
            #expect(try SettingsImage(settings(file: file)) == image, "\(file)")
        }
    }

    @Test func `may stand in a file as text, too, but for a list`() throws {
        for setting in SettingsTable.all where setting.form != .list {
            let text = json(sample(setting), .text)
            let plain = json(sample(setting), setting.form)
            #expect(
                try SettingsImage(settings(file: "{\"\(setting.name)\": \(text)}"))
                    == SettingsImage(settings(file: "{\"\(setting.name)\": \(plain)}"))
            )
        }
    }

    @Test func `are refused with one sentence, wherever a value comes from`() throws {
        for setting in SettingsTable.all where setting.form == .number || setting.form == .flag {
            let name = setting.name
            let sentence = "\(name) is no; it must be \(setting.rule)"
            if setting.form == .number {
                let given = try settings(flags: ["--\(name)", "no"])
                #expect(problem { try SettingsImage(given) } == sentence)
            }
            let given = settings(environment: [variable(name): "no"])
            #expect(problem { try SettingsImage(given) } == sentence)
            let file = try settings(file: "{\"\(name)\": \"no\"}")
            #expect(problem { try SettingsImage(file) } == sentence)
        }
    }

    @Test func `are taken from the flag, else the environment, else the file`() throws {
        let file = try ConfigurationFile.values(
            of: Array(#"{"window": 3, "max-body": 4}"#.utf8),
            path: "f"
        )
        let flags = try SettingFlags.parse(["--window", "1"]).given
        let variables = ["RELOAD_ROUTER_WINDOW": "2", "RELOAD_ROUTER_MAX_DEVICES": "5"]
        let limits = try ServeSettings(
            flags: flags,
            file: file,
            environment: environment(variables)
        )
        .limits()
        #expect(limits.window == 1 && limits.devices == 5 && limits.maxBody == 4)
        let others = try ServeSettings(flags: [:], file: file, environment: environment(variables))
            .limits()
        #expect(others.window == 2)
        #expect(others.producers == RouterLimits().producers)
    }

    @Test func `are refused in a file under a name that none has`() {
        #expect(
            problem { try settings(file: #"{"window": 1, "max-bdy": 2}"#) }
                == "f: line 1, column 15: there is no setting max-bdy; did you mean max-body?"
        )
        #expect(
            problem { try settings(file: #"{"max-body": true}"#) }
                == "f: line 1, column 14: max-body is true; it must be a whole number"
        )
    }

    @Test func `have in their help the default that holds`() throws {
        let defaultValue = try SettingsImage(settings(environment: [:]))
        var count = 0
        for setting in SettingsTable.all {
            guard let digits = setting.defaultValue?.prefix(while: \.isNumber), !digits.isEmpty,
                setting.form == .number
            else { continue }
            let given = settings(environment: [variable(setting.name): String(digits)])
            #expect(try SettingsImage(given) == defaultValue, "\(setting.name)")
            count += 1
        }
        #expect(count >= 20)
    }

    @Test func `can be the last flag of many, and lists be given flag by flag`() throws {
        let arguments = ["--listen", "a:1", "--redact", "--listen", "b:2", "--window", "7"]
        let image = try SettingsImage(settings(flags: arguments))
        #expect(image.values["listen"] == #"["a:1", "b:2"]"#)
        #expect(image.values["redact"] == "true" && image.limits.window == 7)
        #expect(throws: (any Error).self) { try SettingFlags.parse(["--window"]) }
        #expect(throws: (any Error).self) { try SettingFlags.parse(["--windows", "7"]) }
    }

    private func problem<Result>(_ body: () throws -> Result) -> String? {
        do { _ = try body() } catch { return "\(error)" }
        return nil
    }
}

/// The values of all settings.
private struct SettingsImage: Equatable {
    let limits: RouterLimits
    /// Of those that are no limits, as text.
    private(set) var values: [String: String] = [:]

    init(_ settings: ServeSettings) throws {
        limits = try settings.limits()
        for row in Mirror(reflecting: SettingsTable.shared).children {
            guard let row = row.value as? any ObservedSetting else { continue }
            values[row.description.name] = try row.text(in: settings)
        }
        #expect(values.count + SettingsTable.limits.count == SettingsTable.all.count)
    }

    /// The settings that have other values.
    func differing(from other: SettingsImage) -> [String] {
        let limits = SettingsTable.limits.filter { setting in
            var changed = other.limits
            return setting.set("17", &changed) && changed == self.limits
        }
        let others = values.filter { other.values[$0.key] != $0.value }
        return limits.map(\.description.name) + others.map(\.key)
    }
}

/// A setting whose value a test can see.
private protocol ObservedSetting: DescribedSetting {
    func text(in settings: ServeSettings) throws -> String
}

extension Setting: ObservedSetting {
    fileprivate func text(in settings: ServeSettings) throws -> String {
        "\(try settings.value(self))"
    }
}
