internal import Basics

/// The path of a condition's field in a payload, such as `lines[2].stop`; for people.
struct ConditionPath {
    /// The path as text; empty for the payload itself.
    private(set) var text = ""

    /// The path of a member of the object at this path.
    func member(_ name: String) -> ConditionPath {
        ConditionPath(text: text.isEmpty ? Self.readable(name) : "\(text).\(Self.readable(name))")
    }

    /// The path of an element of the list at this path.
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
