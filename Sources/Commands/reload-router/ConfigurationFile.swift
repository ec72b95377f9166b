import ByteStorage
import ReloadModel
import StrictJSON

/// Finds in a configuration file what the configuration library would not notice: settings that are
/// misspelt, and values of another type, in whose place it would take the default.
enum ConfigurationFile {
    /// The names of a configuration file's settings.
    ///
    /// - Throws: `SettingsProblem` with line and column.
    @discardableResult
    static func names(in path: String) throws -> Set<String> {
        var lines = try LineReader(path)
        var bytes: [UInt8] = []
        while let line = try lines.next() { bytes += line.bytes + [0x0a] }
        return try bytes.withByteView { view in
            func problem(at offset: Int, _ message: String) -> SettingsProblem {
                let position = sourcePosition(of: offset, in: view)
                return SettingsProblem(
                    "\(path): line \(position.line), column \(position.column): \(message)"
                )
            }
            var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
            do throws(JSONError) {
                try validateJSON(view, using: &scanner)
            } catch {
                throw problem(at: error.offset, error.sentence)
            }
            var reader = JSONReader(view)
            var names: Set<String> = []
            reader.enterObject()
            var offset = reader.offset
            while let name = reader.nextKey()?.string {
                guard let setting = ServeSettings.settings[name] else {
                    throw problem(at: skipComma(view, offset), "there is no setting \(name)")
                }
                names.insert(name)
                offset = reader.offset
                let value = reader.rawValue()
                if !setting.takes(value) {
                    throw problem(at: offset, "\(setting.problem(name, value.string))")
                }
                offset = reader.offset
            }
            return names
        }
    }

    /// The key that follows a value: behind the comma and white space.
    private static func skipComma(_ view: ByteView, _ offset: Int) -> Int {
        var offset = offset
        while view[offset] != 0x22 { offset += 1 }
        return offset
    }
}

extension ServeSettings.Setting {
    /// Whether a JSON value is of the type of this setting; a number may be written as text.
    fileprivate func takes(_ value: ByteView) -> Bool {
        var reader = JSONReader(value)
        switch type {
        case .text: return reader.peek() == .string
        case .number: return reader.peek() == .number || reader.peek() == .string
        case .flag:
            return reader.peek() == .true || reader.peek() == .false || reader.peek() == .string
        case .list:
            if reader.peek() != .array { return false }
            reader.enterArray()
            while reader.nextElement() {
                if reader.peek() != .string { return false }
                reader.skipValue()
            }
            return true
        }
    }
}
