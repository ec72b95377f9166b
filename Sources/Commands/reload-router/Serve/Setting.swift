import ArgumentParser
import Basics
import CommandSupport

/// The name, form, rule and help of a setting: everything about it that does not depend on its
/// type.
struct SettingDescription: Sendable {
    /// How a value is written in a configuration file; flags and the environment always give text.
    enum Form: Sendable {
        case text
        case number
        /// `true` or `false`; on the command line the bare flag means true.
        case flag
        /// Several texts: an array in a file, separated by commas in the environment, one flag for
        /// each.
        case list
    }

    /// The name in all three places: `max-body` is `--max-body`, `RELOAD_ROUTER_MAX_BODY` and
    /// `{"max-body": …}`.
    let name: String
    /// The name of the variable in the environment.
    var variable: String {
        "RELOAD_ROUTER_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }
    let form: Form
    /// What a value is or counts, such as `file`, `bytes` or `seconds`.
    let unit: String
    /// What a value must be; ends a sentence.
    let rule: String
    /// What the setting does, in sentences.
    let help: String
    /// The default as printed in the help; nil if there is none.
    let defaultValue: String?
    var completion = CompletionKind.default

    /// The flag's help text.
    var flagHelp: ArgumentHelp {
        let text = defaultValue.map { "\(help) (default: \($0))" } ?? help
        return form == .flag ? ArgumentHelp("\(text)") : ArgumentHelp("\(text)", valueName: unit)
    }

    /// The error for a value that the setting cannot have.
    func problem(_ value: String) -> SettingsProblem {
        SettingsProblem(name, value: form == .text && value.isEmpty ? "empty" : value, rule: rule)
    }
}

/// A row of `SettingsTable`.
protocol DescribedSetting: Sendable {
    var description: SettingDescription { get }
}

/// A setting with one value.
struct Setting<Value: Sendable>: DescribedSetting {
    let description: SettingDescription
    /// The default.
    let defaultValue: Value
    /// Reads a value; nil if the text is none.
    let parse: @Sendable (String) -> Value?
}

/// A setting with a list of values; the caller parses each.
struct ListSetting: DescribedSetting {
    let description: SettingDescription
    let defaultValue: [String]
}

extension ListSetting {
    /// A setting that is a list of files, empty by default; `defaultValue` is what the help says of
    /// that.
    static func files(_ name: String, help: String, defaultValue: String) -> ListSetting {
        let description = SettingDescription(
            name: name,
            form: .list,
            unit: "file",
            rule: "a list of files",
            help: help,
            defaultValue: defaultValue,
            completion: .file()
        )
        return ListSetting(description: description, defaultValue: [])
    }
}

/// A setting that is one of the router's limits; the default is that of `RouterLimits`.
struct LimitSetting: DescribedSetting {
    let description: SettingDescription
    /// Reads and sets the limit; false if the text is no value of the setting.
    let set: @Sendable (_ text: String, _ limits: inout RouterLimits) -> Bool
}

// MARK: - Values

/// Parsers of values, and the rules that describe them.
enum SettingText {
    /// Reads a whole number that is not negative.
    @Sendable
    static func whole(_ text: String) -> Int? { Int(text).flatMap { $0 < 0 ? nil : $0 } }

    /// Reads seconds, with or without decimals, to the millisecond.
    @Sendable
    static func seconds(_ text: String) -> Milliseconds? {
        guard let value = Double(text), value >= 0, value < 1e9 else { return nil }
        return Milliseconds(rawValue: Int64(value * 1_000))
    }

    static let wholeRule = "a whole number"
    static let secondsRule = "a number of seconds"
}

extension Setting<Int> {
    /// A setting that is a whole number.
    static func whole(
        _ name: String,
        defaultValue: Int,
        unit: String,
        help: String
    ) -> Setting {
        let description = SettingDescription(
            name: name,
            form: .number,
            unit: unit,
            rule: SettingText.wholeRule,
            help: help,
            defaultValue: "\(defaultValue)"
        )
        return Setting(
            description: description,
            defaultValue: defaultValue,
            parse: SettingText.whole
        )
    }
}

extension Setting<Bool> {
    /// A setting that is true or false, and false by default; `defaultValue` is the default in the
    /// help.
    static func flag(_ name: String, help: String, defaultValue: String) -> Setting {
        let description = SettingDescription(
            name: name,
            form: .flag,
            unit: "",
            rule: "true or false",
            help: help,
            defaultValue: defaultValue
        )
        return Setting(description: description, defaultValue: false) { Bool($0) }
    }
}

extension Setting<String> {
    /// A setting that is a text with a default.
    ///
    /// - Parameters:
    ///   - name: the setting's name.
    ///   - defaultValue: the default.
    ///   - unit: what the text is.
    ///   - rule: what the text must be.
    ///   - help: what the setting does.
    ///   - remark: follows the default in the help.
    ///   - completion: how shells complete it.
    /// - Returns: the setting; an empty text is no value of it.
    static func text(
        _ name: String,
        defaultValue: String,
        unit: String,
        rule: String,
        help: String,
        remark: String = "",
        completion: CompletionKind = .default
    ) -> Setting {
        let description = SettingDescription(
            name: name,
            form: .text,
            unit: unit,
            rule: rule,
            help: help,
            defaultValue: defaultValue + remark,
            completion: completion
        )
        return Setting(description: description, defaultValue: defaultValue) {
            $0.isEmpty ? nil : $0
        }
    }
}

extension Setting<String?> {
    /// A setting that names a file, or is nil.
    static func file(
        _ name: String,
        help: String,
        defaultValue: String?,
        completion: CompletionKind = .file()
    ) -> Setting {
        let description = SettingDescription(
            name: name,
            form: .text,
            unit: "file",
            rule: "a file",
            help: help,
            defaultValue: defaultValue,
            completion: completion
        )
        return Setting(description: description, defaultValue: nil) { $0.isEmpty ? nil : .some($0) }
    }
}

// MARK: - Limits

extension LimitSetting {
    /// A limit that is a whole number.
    ///
    /// - Parameters:
    ///   - name: the setting's name.
    ///   - path: the limit.
    ///   - unit: what the limit counts.
    ///   - help: what the limit does.
    ///   - remark: follows the default in the help.
    ///   - defaultValue: the default in the help, if it is not that of `RouterLimits`.
    init(
        _ name: String,
        limit path: any WritableKeyPath<RouterLimits, Int> & Sendable,
        unit: String,
        help: String,
        remark: String = "",
        defaultValue: String? = nil
    ) {
        self.init(
            name,
            unit: unit,
            help: help,
            defaultValue: defaultValue ?? "\(RouterLimits()[keyPath: path])\(remark)"
        ) { text, limits in
            guard let value = SettingText.whole(text) else { return false }
            limits[keyPath: path] = value
            return true
        }
    }

    /// A limit that is a whole number, or nil, which lets it follow from other limits.
    init(
        _ name: String,
        limit path: any WritableKeyPath<RouterLimits, Int?> & Sendable,
        unit: String,
        help: String,
        defaultValue: String
    ) {
        self.init(name, unit: unit, help: help, defaultValue: defaultValue) { text, limits in
            guard let value = SettingText.whole(text) else { return false }
            limits[keyPath: path] = value
            return true
        }
    }

    /// A limit that is a time, given in seconds.
    init(
        _ name: String,
        seconds path: any WritableKeyPath<RouterLimits, Milliseconds> & Sendable,
        help: String,
        remark: String = ""
    ) {
        self.init(
            name,
            unit: "seconds",
            help: help,
            rule: SettingText.secondsRule,
            defaultValue: "\(RouterLimits()[keyPath: path].wholeSeconds)\(remark)"
        ) { text, limits in
            guard let value = SettingText.seconds(text) else { return false }
            limits[keyPath: path] = value
            return true
        }
    }

    private init(
        _ name: String,
        unit: String,
        help: String,
        rule: String = SettingText.wholeRule,
        defaultValue: String,
        set: @escaping @Sendable (String, inout RouterLimits) -> Bool
    ) {
        self.set = set
        description = SettingDescription(
            name: name,
            form: .number,
            unit: unit,
            rule: rule,
            help: help,
            defaultValue: defaultValue
        )
    }
}
