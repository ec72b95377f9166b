import ArgumentParser
import CommandSupport
import ReloadModel

/// What a setting is called, how it is written, and what is said of it.
struct SettingDescription: Sendable {
    /// How a value is written in a configuration file; everywhere else it is text.
    enum Form: Sendable {
        case text
        case number
        /// true or false; on the command line the bare name is true.
        case flag
        /// Texts: an array in a file, separated by commas in the environment, one for each flag.
        case list
    }

    /// The name everywhere: `max-body` is `--max-body`, `RELOAD_ROUTER_MAX_BODY` and
    /// `{"max-body": …}`.
    let name: String
    let form: Form
    /// What a value is or counts: a file, bytes, seconds.
    let unit: String
    /// Ends a sentence: what a value must be.
    let rule: String
    /// What it does, in sentences.
    let help: String
    /// The default, for people; nil if there is none.
    let standard: String?
    var completion = CompletionKind.default

    /// The help of the flag.
    var flagHelp: ArgumentHelp {
        let text = standard.map { "\(help) (default: \($0))" } ?? help
        return form == .flag ? ArgumentHelp("\(text)") : ArgumentHelp("\(text)", valueName: unit)
    }

    /// The error for a value that the setting cannot have.
    func problem(_ value: String) -> SettingsProblem {
        SettingsProblem(name, form == .text && value.isEmpty ? "empty" : value, rule)
    }
}

/// A row of the table of settings.
protocol DescribedSetting: Sendable {
    var description: SettingDescription { get }
}

/// A setting with one value.
struct Setting<Value: Sendable>: DescribedSetting {
    let description: SettingDescription
    /// The value that holds if none is given.
    let standard: Value
    /// Nil if a text is no value of the setting.
    let parse: @Sendable (String) -> Value?
}

/// A setting with a list of values, which are read by who asks for them.
struct ListSetting: DescribedSetting {
    let description: SettingDescription
    let standard: [String]
}

/// A setting that is one of the router's limits, which know their defaults.
struct LimitSetting: DescribedSetting {
    let description: SettingDescription
    /// Changes the limit; false if a text is no value of the setting.
    let set: @Sendable (_ text: String, _ limits: inout RouterLimits) -> Bool
}

// MARK: - Values

/// How values are read from text.
enum SettingText {
    /// A whole number from 0 on.
    @Sendable
    static func whole(_ text: String) -> Int? { Int(text).flatMap { $0 < 0 ? nil : $0 } }

    /// Seconds, with decimals, as milliseconds.
    @Sendable
    static func seconds(_ text: String) -> Int64? {
        guard let value = Double(text), value >= 0, value < 1e9 else { return nil }
        return Int64(value * 1_000)
    }

    static let wholeRule = "a whole number"
    static let secondsRule = "a number of seconds"
}

extension Setting<Int> {
    /// A whole number.
    static func whole(
        _ name: String,
        _ standard: Int,
        _ unit: String,
        _ help: String
    ) -> Setting {
        let description = SettingDescription(
            name: name,
            form: .number,
            unit: unit,
            rule: SettingText.wholeRule,
            help: help,
            standard: "\(standard)"
        )
        return Setting(description: description, standard: standard, parse: SettingText.whole)
    }
}

extension Setting<Bool> {
    /// Something that is so or not; it is not if nobody says so.
    static func flag(_ name: String, _ help: String, standard: String) -> Setting {
        let description = SettingDescription(
            name: name,
            form: .flag,
            unit: "",
            rule: "true or false",
            help: help,
            standard: standard
        )
        return Setting(description: description, standard: false) { Bool($0) }
    }
}

extension Setting<String> {
    /// A text with a default.
    ///
    /// - Parameters:
    ///   - name: the setting's.
    ///   - standard: the default.
    ///   - unit: what the text is.
    ///   - rule: what it must be.
    ///   - help: what the setting does.
    ///   - remark: follows the default in the help.
    ///   - completion: how shells complete it.
    /// - Returns: the setting, which is refused if it is empty.
    static func text(
        _ name: String,
        _ standard: String,
        _ unit: String,
        rule: String,
        _ help: String,
        remark: String = "",
        completion: CompletionKind = .default
    ) -> Setting {
        let description = SettingDescription(
            name: name,
            form: .text,
            unit: unit,
            rule: rule,
            help: help,
            standard: standard + remark,
            completion: completion
        )
        return Setting(description: description, standard: standard) { $0.isEmpty ? nil : $0 }
    }
}

extension Setting<String?> {
    /// A file that need not be named.
    static func file(
        _ name: String,
        _ help: String,
        standard: String?,
        completion: CompletionKind = .file()
    ) -> Setting {
        let description = SettingDescription(
            name: name,
            form: .text,
            unit: "file",
            rule: "a file",
            help: help,
            standard: standard,
            completion: completion
        )
        return Setting(description: description, standard: nil) { .some($0) }
    }
}

// MARK: - Limits

extension LimitSetting {
    /// A limit that is a whole number.
    ///
    /// - Parameters:
    ///   - name: the setting's.
    ///   - path: the limit.
    ///   - unit: what it counts.
    ///   - help: what it does.
    ///   - remark: follows the default in the help.
    ///   - standard: stands for the default in the help, if that is not the limit's own.
    init(
        _ name: String,
        _ path: any WritableKeyPath<RouterLimits, Int> & Sendable,
        _ unit: String,
        _ help: String,
        remark: String = "",
        standard: String? = nil
    ) {
        self.init(
            name,
            unit,
            help,
            standard: standard ?? "\(RouterLimits()[keyPath: path])\(remark)"
        ) { text, limits in
            guard let value = SettingText.whole(text) else { return false }
            limits[keyPath: path] = value
            return true
        }
    }

    /// A limit that is a whole number, or follows from others.
    init(
        _ name: String,
        _ path: any WritableKeyPath<RouterLimits, Int?> & Sendable,
        _ unit: String,
        _ help: String,
        standard: String
    ) {
        self.init(name, unit, help, standard: standard) { text, limits in
            guard let value = SettingText.whole(text) else { return false }
            limits[keyPath: path] = value
            return true
        }
    }

    /// A limit in time, which is kept in milliseconds.
    init(
        _ name: String,
        seconds path: any WritableKeyPath<RouterLimits, Int64> & Sendable,
        _ help: String,
        remark: String = ""
    ) {
        self.init(
            name,
            "seconds",
            help,
            rule: SettingText.secondsRule,
            standard: "\(RouterLimits()[keyPath: path] / 1_000)\(remark)"
        ) { text, limits in
            guard let value = SettingText.seconds(text) else { return false }
            limits[keyPath: path] = value
            return true
        }
    }

    private init(
        _ name: String,
        _ unit: String,
        _ help: String,
        rule: String = SettingText.wholeRule,
        standard: String,
        set: @escaping @Sendable (String, inout RouterLimits) -> Bool
    ) {
        self.set = set
        description = SettingDescription(
            name: name,
            form: .number,
            unit: unit,
            rule: rule,
            help: help,
            standard: standard
        )
    }
}
