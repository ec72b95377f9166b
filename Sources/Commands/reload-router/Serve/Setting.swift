import ArgumentParser
import Basics
import CommandSupport
import Cryptography
import DurableStore
import Logging

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
    let unit: OptionValue
    /// What a value must be; ends a sentence.
    let rule: String
    /// What the setting does, in sentences.
    let help: String
    /// The default as printed in the help; nil if there is none.
    let defaultValue: String?

    var flagHelp: ArgumentHelp {
        let text = defaultValue.map { "\(help) (default: \($0))" } ?? help
        return form == .flag ? ArgumentHelp("\(text)") : unit.help(text)
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

/// A setting of `serve`.
struct Setting<Value: Sendable>: DescribedSetting {
    let description: SettingDescription
    let defaultValue: Value
    /// Reads what was given; nil if that is no value.
    let read: @Sendable (ServeSettings.Given) -> Value?
}

/// A setting that is one of the router's limits; the default is that of `RouterLimits`.
struct LimitSetting: DescribedSetting {
    let description: SettingDescription
    /// Reads and sets the limit; false if the text is no value of the setting.
    let set: @Sendable (_ text: String, _ limits: inout RouterLimits) -> Bool
}

// MARK: - Values

/// What a setting can be.
protocol SettingValue: Sendable {
    static var form: SettingDescription.Form { get }
    /// What it is or counts, where a setting does not say it.
    static var unit: OptionValue { get }
    /// What a text must be; ends a sentence.
    static var rule: String { get }
    /// Reads a value; nil if the text is none.
    static func read(_ text: String) -> Self?
    /// The value as the help says it; empty if it says none.
    var text: String { get }
}

extension Int: SettingValue {
    static var form: SettingDescription.Form { .number }
    static var unit: OptionValue { "number" }
    static var rule: String { "a whole number" }
    static func read(_ text: String) -> Int? { Int(text).flatMap { $0 < 0 ? nil : $0 } }
    var text: String { "\(self)" }
}

/// Seconds, with or without decimals, to the millisecond.
extension Milliseconds: SettingValue {
    static var form: SettingDescription.Form { .number }
    static var unit: OptionValue { "seconds" }
    static var rule: String { "a number of seconds" }
    var text: String { "\(wholeSeconds)" }

    static func read(_ text: String) -> Milliseconds? {
        guard let value = Double(text), value >= 0, value < 1e9 else { return nil }
        return Milliseconds(rawValue: Int64(value * 1_000))
    }
}

extension Bool: SettingValue {
    static var form: SettingDescription.Form { .flag }
    static var unit: OptionValue { "" }
    static var rule: String { "true or false" }
    static func read(_ text: String) -> Bool? { Bool(text) }
    var text: String { "\(self)" }
}

/// A text that is not empty, such as the name of a file.
extension String: SettingValue {
    static var form: SettingDescription.Form { .text }
    static var unit: OptionValue { "file" }
    static var rule: String { "a file" }
    static func read(_ text: String) -> String? { text.isEmpty ? nil : text }
    var text: String { self }
}

/// Texts, each of which their reader parses.
extension [String]: SettingValue {
    static var form: SettingDescription.Form { .list }
    static var unit: OptionValue { "file" }
    static var rule: String { "a list of files" }
    var text: String { joined(separator: ",") }

    /// Reads them as a variable of the environment has them. Blanks beside a comma do not count.
    static func read(_ text: String) -> [String]? {
        text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let start = part.drop(while: \.isWhitespace)
            let end = start.lastIndex { !$0.isWhitespace }.map(start.index(after:))
            return String(start[..<(end ?? start.endIndex)])
        }
    }
}

/// A value that follows from others, or is none, if it is nil.
extension Optional: SettingValue where Wrapped: SettingValue {
    static var form: SettingDescription.Form { Wrapped.form }
    static var unit: OptionValue { Wrapped.unit }
    static var rule: String { Wrapped.rule }
    static func read(_ text: String) -> Wrapped?? { Wrapped.read(text).map { .some($0) } }
    var text: String { "" }
}

/// One of a few words.
extension SettingValue where Self: RawRepresentable<String> {
    static var form: SettingDescription.Form { .text }
    static func read(_ text: String) -> Self? { Self(rawValue: text) }
    var text: String { rawValue }
}

extension TLSVersion: SettingValue {
    static var unit: OptionValue { "version" }
    static var rule: String { "1.2 or 1.3" }
}

extension Durability: SettingValue {
    static var unit: OptionValue { "durability" }
    static var rule: String { "full, os or none" }
}

extension Logger.Level: SettingValue {
    static var unit: OptionValue { "level" }
    static var rule: String { "trace, debug, info, notice, warning, error or critical" }
}

extension LogSettings.Format: SettingValue {
    static var unit: OptionValue { "format" }
    static var rule: String { "auto, text or json" }
}

/// Whether something is done, where the router decides it if nothing is said.
enum SettingChoice: String, SettingValue {
    case on
    case off

    static var unit: OptionValue { "choice" }
    static var rule: String { "on or off" }
}

// MARK: - Rows

extension Setting where Value: SettingValue {
    /// A setting whose default in the help is `defaultText` if it is not the value; `remark`
    /// follows it.
    init(
        _ name: String,
        defaultValue: Value,
        unit: OptionValue = Value.unit,
        rule: String = Value.rule,
        help: String,
        defaultText: String? = nil,
        remark: String = "",
        isAllowed: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        let shown = defaultText ?? defaultValue.text + remark
        description = SettingDescription(
            name: name,
            form: Value.form,
            unit: unit,
            rule: rule,
            help: help,
            defaultValue: shown.isEmpty ? nil : shown
        )
        self.defaultValue = defaultValue
        read = { given in
            switch given {
            case .text(let text): Value.read(text).flatMap { isAllowed($0) ? $0 : nil }
            case .list(let texts): texts as? Value
            }
        }
    }
}

extension Setting<Bool> {
    /// A setting that is false by default.
    static func flag(_ name: String, help: String, defaultText: String) -> Setting {
        Setting(name, defaultValue: false, help: help, defaultText: defaultText)
    }
}

extension Setting<String?> {
    /// A setting that names a file, or is nil.
    static func file(
        _ name: String,
        unit: OptionValue = "file",
        help: String,
        defaultText: String?
    ) -> Setting {
        Setting(name, defaultValue: nil, unit: unit, help: help, defaultText: defaultText)
    }
}

extension LimitSetting {
    /// A limit, whose default in the help is `defaultValue` if it is not that of `RouterLimits`;
    /// `remark` follows it.
    init<Value: SettingValue>(
        _ name: String,
        limit path: any WritableKeyPath<RouterLimits, Value> & Sendable,
        unit: OptionValue = "seconds",
        help: String,
        remark: String = "",
        defaultValue: String? = nil
    ) {
        description = SettingDescription(
            name: name,
            form: .number,
            unit: unit,
            rule: Value.rule,
            help: help,
            defaultValue: defaultValue ?? RouterLimits()[keyPath: path].text + remark
        )
        set = { text, limits in
            guard let value = Value.read(text) else { return false }
            limits[keyPath: path] = value
            return true
        }
    }
}
