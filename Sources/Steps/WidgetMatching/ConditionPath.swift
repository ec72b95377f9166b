internal import StrictJSON

/// The path of a condition's field in a payload, such as `lines[2].stop`; for people.
struct ConditionPath {
    private(set) var text = ""

    func member(_ name: String) -> ConditionPath {
        ConditionPath(text: text.isEmpty ? Self.readable(name) : "\(text).\(Self.readable(name))")
    }

    func element(_ index: Int) -> ConditionPath {
        ConditionPath(text: "\(text)[\(index)]")
    }

    /// A name for a path, in quotation marks if it could be misread.
    private static func readable(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && ![".", "[", "]", "\"", "\\"].contains(scalar)
        }
        return isPlain && !name.isEmpty ? name : JSONValue.string(name).text
    }
}
