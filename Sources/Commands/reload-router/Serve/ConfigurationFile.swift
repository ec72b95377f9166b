import Basics
import CommandSupport

/// Reads a configuration file of `serve`: a JSON object of settings.
///
/// A setting that is misspelt or of another type is an error with its line and column.
enum ConfigurationFile {
    /// The settings in a file, by name. An error has the line and column of what is not valid.
    static func values(in path: String) throws -> [String: ServeSettings.Given] {
        try values(of: SecretFile.trusted(path, of: "config"), path: path)
    }

    /// The settings in the content of a file; `path` names it in errors.
    static func values(of bytes: [UInt8], path: String) throws -> [String: ServeSettings.Given] {
        try bytes.withByteView { view in
            func problem(at offset: Int, message: String) -> SettingsProblem {
                let position = sourcePosition(of: offset, in: view)
                return SettingsProblem(
                    "\(path): line \(position.line), column \(position.column): \(message)"
                )
            }
            var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
            do throws(JSONError) {
                try validateJSON(view, using: &scanner)
            } catch {
                throw problem(at: error.offset, message: error.sentence)
            }
            var reader = JSONReader(view)
            var values: [String: ServeSettings.Given] = [:]
            reader.enterObject()
            var offset = reader.offset
            while let name = reader.nextKey()?.string {
                guard let setting = SettingsTable[name] else {
                    throw problem(
                        at: skipComma(view, from: offset),
                        message: "there is no setting \(name)"
                            + Spelling.hint(for: name, among: SettingsTable.all.lazy.map(\.name))
                    )
                }
                offset = reader.offset
                let text = reader.rawValue()
                guard let value = setting.value(text) else {
                    throw problem(at: offset, message: "\(setting.problem(text.string))")
                }
                values[name] = value
                offset = reader.offset
            }
            return values
        }
    }

    /// The offset of the key that follows a value, past the comma and white space.
    private static func skipComma(_ view: ByteView, from offset: Int) -> Int {
        var offset = offset
        while view[offset] != 0x22 { offset += 1 }
        return offset
    }
}

extension SettingDescription {
    /// A JSON value in the form in which flags and the environment give it; nil if it is of another
    /// type.
    ///
    /// A number, true and false may be written as text.
    fileprivate func value(_ json: ByteView) -> ServeSettings.Given? {
        var reader = JSONReader(json)
        switch (form, reader.peek()) {
        case (.list, .array): return Self.list(&reader).map { .list($0) }
        case (.list, _): return nil
        case (_, .string): return .text(reader.readString().string)
        case (.number, .number): return .text(Self.digits(json.string))
        case (.flag, .true), (.flag, .false): return .text(json.string)
        default: return nil
        }
    }

    private static func list(_ reader: inout JSONReader) -> [String]? {
        var texts: [String] = []
        reader.enterArray()
        while reader.nextElement() {
            if reader.peek() != .string { return nil }
            texts.append(reader.readString().string)
        }
        return texts
    }

    /// Writes a whole number without exponent or decimals: `1e6` becomes `1000000`. Any other
    /// number stays as it is, and is refused when it is parsed.
    private static func digits(_ number: String) -> String {
        Double(number).flatMap { Int(exactly: $0) }.map { String($0) } ?? number
    }
}
