internal import StrictJSON

/// Where in a payload a condition looks, for people.
struct ConditionPath {
    private(set) var text = ""

    func member(_ name: String) -> ConditionPath {
        ConditionPath(text: text.isEmpty ? Self.readable(name) : "\(text).\(Self.readable(name))")
    }

    func element(_ index: Int) -> ConditionPath {
        ConditionPath(text: "\(text)[\(index)]")
    }

    /// A name that could be misread stands in quotation marks.
    private static func readable(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && ![".", "[", "]", "\"", "\\"].contains(scalar)
        }
        return isPlain && !name.isEmpty ? name : JSONValue.string(name).text
    }
}
