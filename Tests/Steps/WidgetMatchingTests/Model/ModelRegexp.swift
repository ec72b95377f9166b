/// A regular expression as a tree, matched by the sets of places at which each part can end.
indirect enum ModelRegexp {
    case characters(ModelCharacters)
    case sequence([ModelRegexp])
    case choice([ModelRegexp])
    case repeated(ModelRegexp, least: Int, most: Int?)

    /// Whether the whole text matches.
    func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        return ends(text, from: [0]).contains(text.count)
    }

    private func ends(_ text: [Unicode.Scalar], from starts: Set<Int>) -> Set<Int> {
        switch self {
        case .characters(let characters):
            return Set(
                starts.filter { $0 < text.count && characters.contains(text[$0]) }.map { $0 + 1 }
            )
        case .sequence(let parts):
            return parts.reduce(starts) { places, part in part.ends(text, from: places) }
        case .choice(let branches):
            return branches.reduce(into: []) { $0.formUnion($1.ends(text, from: starts)) }
        case .repeated(let part, let least, let most):
            var places = starts
            for _ in 0..<least { places = part.ends(text, from: places) }
            var all = places
            // Once a round adds no place, none ever will.
            for _ in 0..<(most.map { $0 - least } ?? text.count) {
                places = part.ends(text, from: places)
                if places.isSubset(of: all) { break }
                all.formUnion(places)
            }
            return all
        }
    }

    /// The expression as text.
    var text: String {
        switch self {
        case .characters(let characters): characters.text
        case .sequence(let parts): parts.map { $0.group(unless: \.isPiece) }.joined()
        case .choice(let branches): branches.map(\.text).joined(separator: "|")
        case .repeated(let part, 0, nil): part.group(unless: \.isAtom) + "*"
        case .repeated(let part, 1, nil): part.group(unless: \.isAtom) + "+"
        case .repeated(let part, 0, 1): part.group(unless: \.isAtom) + "?"
        case .repeated(let part, let least, nil): part.group(unless: \.isAtom) + "{\(least),}"
        case .repeated(let part, let least, let most?):
            part.group(unless: \.isAtom) + (least == most ? "{\(least)}" : "{\(least),\(most)}")
        }
    }

    private func group(unless fits: (ModelRegexp) -> Bool) -> String {
        fits(self) ? text : "(\(text))"
    }

    private var isAtom: Bool {
        if case .characters = self { return true }
        return false
    }

    private var isPiece: Bool {
        if case .repeated = self { return true }
        return isAtom
    }
}

/// What one character of a regular expression may be.
indirect enum ModelCharacters {
    case one(Unicode.Scalar)
    /// `.`: all but the ends of lines.
    case dot
    case letters
    case digits
    case not(ModelCharacters)
    case range(Unicode.Scalar, Unicode.Scalar)
    /// `[…]`
    case union([ModelCharacters])

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .one(let wanted): scalar == wanted
        case .dot: scalar != "\n" && scalar != "\r"
        case .letters: scalar.properties.generalCategory.isLetter
        case .digits: scalar.properties.generalCategory == .decimalNumber
        case .not(let characters): !characters.contains(scalar)
        case .range(let low, let high): low <= scalar && scalar <= high
        case .union(let parts): parts.contains { $0.contains(scalar) }
        }
    }

    var text: String {
        switch self {
        case .one(let scalar): Self.escaped(scalar)
        case .dot: "."
        case .letters: #"\p{L}"#
        case .digits: #"\p{Nd}"#
        case .not(.letters): #"\P{L}"#
        case .not(.digits): #"\P{Nd}"#
        case .not(let characters): "[^\(characters.inner)]"
        case .range, .union: "[\(inner)]"
        }
    }

    /// The text within brackets.
    private var inner: String {
        switch self {
        case .range(let low, let high): "\(Self.escaped(low))-\(Self.escaped(high))"
        case .union(let parts): parts.map(\.inner).joined()
        case .one, .dot, .letters, .digits, .not: text
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": "\\\(scalar)"
        default: "\(scalar)"
        }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isLetter: Bool {
        switch self {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            true
        default: false
        }
    }
}
