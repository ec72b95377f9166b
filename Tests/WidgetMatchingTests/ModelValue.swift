/// A JSON value as the model has it: compared by definition, not by bytes.
indirect enum ModelValue {
    case string(String)
    case number(ModelNumber)
    case boolean(Bool)
    case null
    case list([ModelValue])
    case object([ModelMember])

    /// Whether two values are the same scalar: same type, same value.
    func isSame(as other: ModelValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.number(let left), .number(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.null, .null): true
        default: false
        }
    }

    var isScalar: Bool {
        switch self {
        case .list, .object: false
        case .string, .number, .boolean, .null: true
        }
    }

    /// The value of an object's member.
    func member(_ name: String) -> ModelValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}

/// A member of an object.
struct ModelMember {
    let name: String
    let value: ModelValue
}

/// A decimal number: digits × 10^exponent, with no zero at the digits' end.
struct ModelNumber: Equatable {
    private(set) var digits: Int
    private(set) var exponent: Int

    init(_ digits: Int, _ exponent: Int) {
        self.digits = digits
        self.exponent = digits == 0 ? 0 : exponent
        while self.digits != 0 && self.digits % 10 == 0 {
            self.digits /= 10
            self.exponent += 1
        }
    }

    /// One of the many spellings of the number.
    func spelled(_ random: inout SeededGenerator) -> String {
        let sign = digits < 0 || digits == 0 && random.below(4) == 0 ? "-" : ""
        let shift = random.below(4)
        let zeros = String(repeating: "0", count: shift)
        let text = digits == 0 ? "0" : "\(digits.magnitude)\(zeros)"
        let power = exponent - shift
        switch random.below(3) {
        case 0 where exponent >= 0 && exponent < 6:
            let plain = digits == 0 ? "0" : "\(digits.magnitude)"
            let tail = digits == 0 ? "" : String(repeating: "0", count: exponent)
            return sign + plain + tail + (random.below(2) == 0 ? ".00" : "")
        case 1:
            // A point behind the first digit, and the exponent to make up for it.
            let rest = text.dropFirst()
            let fraction = rest.isEmpty ? "0" : String(rest)
            return "\(sign)\(text.prefix(1)).\(fraction)e\(digits == 0 ? 3 : power + rest.count)"
        default: return "\(sign)\(text)E\(power < 0 ? "" : "+")\(digits == 0 ? 0 : power)"
        }
    }
}

extension ModelValue {
    /// The value as JSON, with random spelling: spaces, escapes, forms of numbers.
    func json(_ random: inout SeededGenerator) -> String {
        switch self {
        case .string(let text): return Self.quoted(text, &random)
        case .number(let number): return number.spelled(&random)
        case .boolean(let value): return value ? "true" : "false"
        case .null: return "null"
        case .list(let elements):
            let texts = elements.map { $0.json(&random) }
            return "[\(texts.joined(separator: random.below(4) == 0 ? " , " : ","))]"
        case .object(let members):
            let texts = members.map { member in
                let name = Self.quoted(member.name, &random)
                return "\(name)\(random.below(4) == 0 ? " :\n" : ":")\(member.value.json(&random))"
            }
            return "{\(texts.joined(separator: random.below(4) == 0 ? "\t, " : ","))}"
        }
    }

    private static func quoted(_ text: String, _ random: inout SeededGenerator) -> String {
        let escapes = random.below(4) == 0
        var quoted = "\""
        for unit in text.unicodeScalars {
            if unit.value < 0x20 || unit == "\"" || unit == "\\" {
                quoted += unicodeEscape(unit)
            } else if escapes && unit.value < 0x1_0000 && random.below(2) == 0 {
                quoted += unicodeEscape(unit)
            } else {
                quoted.unicodeScalars.append(unit)
            }
        }
        return quoted + "\""
    }

    private static func unicodeEscape(_ unit: Unicode.Scalar) -> String {
        let digits = String(unit.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
