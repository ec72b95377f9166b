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

// MARK: - Numbers

/// A number that a setting can be.
protocol SettingNumber: Sendable {
    /// What a text must be.
    static var rule: String { get }
    /// Reads a number; nil if the text is none.
    static func read(_ text: String) -> Self?
    /// The number as the help says it.
    var text: String { get }
}

extension Int: SettingNumber {
    static var rule: String { "a whole number" }
    static func read(_ text: String) -> Int? { Int(text).flatMap { $0 < 0 ? nil : $0 } }
    var text: String { "\(self)" }
}

/// A number that follows from others if it is nil.
extension Int?: SettingNumber {
    static var rule: String { Int.rule }
    static func read(_ text: String) -> Int?? { Int.read(text).map { .some($0) } }
    var text: String { "" }
}

/// Seconds, with or without decimals, to the millisecond.
extension Milliseconds: SettingNumber {
    static var rule: String { "a number of seconds" }
    var text: String { "\(wholeSeconds)" }

    static func read(_ text: String) -> Milliseconds? {
        guard let value = Double(text), value >= 0, value < 1e9 else { return nil }
        return Milliseconds(rawValue: Int64(value * 1_000))
    }
}

extension Setting where Value: SettingNumber {
    /// A setting that is a number; `defaultText` is its default in the help, if that is not the
    /// number.
    static func number(
        _ name: String,
        defaultValue: Value,
        unit: String = "seconds",
        help: String,
        defaultText: String? = nil,
        rule: String = Value.rule,
        isAllowed: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) -> Setting {
        Setting(
            name,
            defaultValue: defaultValue,
            form: .number,
            unit: unit,
            rule: rule,
            help: help,
            defaultText: defaultText ?? defaultValue.text
        ) { text in Value.read(text).flatMap { isAllowed($0) ? $0 : nil } }
    }
}

extension LimitSetting {
    /// A limit, whose default in the help is `defaultValue` if it is not that of `RouterLimits`;
    /// `remark` follows it.
    init<Value: SettingNumber>(
        _ name: String,
        limit path: any WritableKeyPath<RouterLimits, Value> & Sendable,
        unit: String = "seconds",
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

// MARK: - Other values

extension Setting {
    /// A setting that is read from a text; `defaultText` is its default in the help.
    init(
        _ name: String,
        defaultValue: Value,
        form: SettingDescription.Form = .text,
        unit: String,
        rule: String,
        help: String,
        defaultText: String?,
        completion: CompletionKind = .default,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        description = SettingDescription(
            name: name,
            form: form,
            unit: unit,
            rule: rule,
            help: help,
            defaultValue: defaultText,
            completion: completion
        )
        self.defaultValue = defaultValue
        read = { if case .text(let text) = $0 { parse(text) } else { nil } }
    }
}

extension Setting where Value: RawRepresentable<String> {
    /// A setting that is one of a few words.
    static func choice(
        _ name: String,
        defaultValue: Value,
        unit: String,
        rule: String,
        help: String
    ) -> Setting {
        Setting(
            name,
            defaultValue: defaultValue,
            unit: unit,
            rule: rule,
            help: help,
            defaultText: defaultValue.rawValue
        ) { Value(rawValue: $0) }
    }
}

extension Setting<Bool> {
    /// A setting that is true or false, and false by default.
    static func flag(_ name: String, help: String, defaultText: String) -> Setting {
        Setting(
            name,
            defaultValue: false,
            form: .flag,
            unit: "",
            rule: "true or false",
            help: help,
            defaultText: defaultText
        ) { Bool($0) }
    }
}

extension Setting<String> {
    /// A setting that is a text, which is not empty; `remark` follows the default in the help.
    static func text(
        _ name: String,
        defaultValue: String,
        unit: String,
        rule: String,
        help: String,
        remark: String = "",
        completion: CompletionKind = .default
    ) -> Setting {
        Setting(
            name,
            defaultValue: defaultValue,
            unit: unit,
            rule: rule,
            help: help,
            defaultText: defaultValue + remark,
            completion: completion
        ) { $0.isEmpty ? nil : $0 }
    }
}

extension Setting<String?> {
    /// A setting that names a file, or is nil.
    static func file(
        _ name: String,
        help: String,
        defaultText: String?,
        completion: CompletionKind = .file()
    ) -> Setting {
        Setting(
            name,
            defaultValue: nil,
            unit: "file",
            rule: "a file",
            help: help,
            defaultText: defaultText,
            completion: completion
        ) { $0.isEmpty ? nil : .some($0) }
    }
}

extension Setting<[String]> {
    /// A setting that is a list of texts, each of which its reader parses.
    static func list(
        _ name: String,
        defaultValue: [String] = [],
        unit: String = "file",
        rule: String = "a list of files",
        help: String,
        defaultText: String,
        completion: CompletionKind = .file()
    ) -> Setting {
        let description = SettingDescription(
            name: name,
            form: .list,
            unit: unit,
            rule: rule,
            help: help,
            defaultValue: defaultText,
            completion: completion
        )
        return Setting(description: description, defaultValue: defaultValue) { given in
            switch given {
            case .list(let texts): texts
            case .text(let text): texts(separatedByCommas: text)
            }
        }
    }

    /// The texts of a list as a variable of the environment has them. Blanks beside a comma do not
    /// count.
    private static func texts(separatedByCommas text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let start = part.drop(while: \.isWhitespace)
            let end = start.lastIndex { !$0.isWhitespace }.map(start.index(after:))
            return String(start[..<(end ?? start.endIndex)])
        }
    }
}
