import ArgumentParser
import CommandSupport

/// The flags of `serve`: one for each setting of `SettingsTable`.
///
/// The argument parser finds arguments by reflecting on the properties of a value, and decodes what
/// was given by their names. Here a custom mirror supplies the rows of the table as properties.
struct SettingFlags: ParsableArguments, CustomReflectable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// The settings given on the command line, by name.
    private(set) var given: [String: ServeSettings.Given] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        for setting in SettingsTable.all {
            let name = Name(stringValue: setting.name)
            switch setting.form {
            case .text, .number:
                let text = try container.decode(Option<String?>.self, forKey: name).wrappedValue
                given[setting.name] = text.map { .text($0) }
            case .flag:
                let isGiven = try container.decode(Flag<Bool>.self, forKey: name).wrappedValue
                given[setting.name] = isGiven ? .text("true") : nil
            case .list:
                let texts = try container.decode(Option<[String]>.self, forKey: name).wrappedValue
                given[setting.name] = texts.isEmpty ? nil : .list(texts)
            }
        }
    }

    var customMirror: Mirror {
        Mirror(
            self,
            children: SettingsTable.all.map { (label: $0.name, value: Self.argument(of: $0)) }
        )
    }

    private static func argument(of setting: SettingDescription) -> Any {
        let name = NameSpecification.customLong(setting.name)
        let help = setting.flagHelp
        let completion = setting.unit.completion
        return switch setting.form {
        case .text, .number: Option<String?>(name: name, help: help, completion: completion)
        case .flag: Flag<Bool>(wrappedValue: false, name: name, help: help)
        case .list:
            Option<[String]>(wrappedValue: [], name: name, help: help, completion: completion)
        }
    }
}
