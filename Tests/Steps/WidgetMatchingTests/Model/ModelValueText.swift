import TestSupport

extension ModelValue {
    /// The value as JSON, for messages.
    var json: String {
        switch self {
        case .string(let text): return text.quoted { _ in false }
        case .number(let number): return number.plain
        case .boolean(let value): return "\(value)"
        case .null: return "null"
        case .list(let elements): return "[\(elements.map(\.json).joined(separator: ","))]"
        case .object(let members):
            let texts = members.map { "\($0.name.quoted { _ in false }):\($0.value.json)" }
            return "{\(texts.joined(separator: ","))}"
        }
    }

    /// The value as JSON, with random spelling: spaces, escapes, forms of numbers.
    func json(_ random: inout SeededGenerator) -> String {
        switch self {
        case .string(let text): return text.quoted(&random)
        case .number(let number): return number.spelled(&random)
        case .boolean(let value): return value ? "true" : "false"
        case .null: return "null"
        case .list(let elements):
            let texts = elements.map { $0.json(&random) }
            return "[\(texts.joined(separator: random.below(4) == 0 ? " , " : ","))]"
        case .object(let members):
            let texts = members.map { member in
                let name = member.name.quoted(&random)
                return "\(name)\(random.below(4) == 0 ? " :\n" : ":")\(member.value.json(&random))"
            }
            return "{\(texts.joined(separator: random.below(4) == 0 ? "\t, " : ","))}"
        }
    }
}

extension String {
    /// The text as a JSON string, now and then with escapes that need not be.
    fileprivate func quoted(_ random: inout SeededGenerator) -> String {
        guard random.below(4) == 0 else { return quoted { _ in false } }
        return quoted { $0.value < 0x1_0000 && random.below(2) == 0 }
    }

    /// The text as a JSON string, with escapes where they must be and where they are wanted.
    fileprivate func quoted(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        var quoted = "\""
        for scalar in unicodeScalars {
            if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || isEscaped(scalar) {
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
