/// Reads the regular expressions of RFC 9485, but for categories other than `L` and `Nd`.
struct ModelRegexpReader {
    private var rest: ArraySlice<Unicode.Scalar>

    private struct Invalid: Error {}

    /// The expression; nil if the text is none.
    static func read(_ text: String) -> ModelRegexp? {
        var reader = ModelRegexpReader(rest: Array(text.unicodeScalars)[...])
        guard let expression = try? reader.choice(), reader.rest.isEmpty else { return nil }
        return expression
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func choice() throws -> ModelRegexp {
        var branches = [try branch()]
        while take("|") { branches.append(try branch()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func branch() throws -> ModelRegexp {
        var pieces: [ModelRegexp] = []
        while let next = rest.first, next != "|", next != ")" { pieces.append(try piece()) }
        return .sequence(pieces)
    }

    private mutating func piece() throws -> ModelRegexp {
        let atom = try atom()
        if take("*") { return .repeated(atom, least: 0, most: nil) }
        if take("+") { return .repeated(atom, least: 1, most: nil) }
        if take("?") { return .repeated(atom, least: 0, most: 1) }
        guard take("{") else { return atom }
        let least = try count()
        let most = take(",") ? (rest.first == "}" ? nil : try count()) : least
        guard take("}"), most.map({ $0 >= least }) ?? true else { throw Invalid() }
        return .repeated(atom, least: least, most: most)
    }

    private mutating func count() throws -> Int {
        var text = ""
        while let digit = rest.first, ("0"..."9").contains(digit) {
            text.unicodeScalars.append(digit)
            rest.removeFirst()
        }
        guard let count = Int(text) else { throw Invalid() }
        return count
    }

    private mutating func atom() throws -> ModelRegexp {
        guard let next = rest.popFirst() else { throw Invalid() }
        switch next {
        case "(":
            let inner = try choice()
            guard take(")") else { throw Invalid() }
            return inner
        case ".": return .characters(.dot)
        case "[": return .characters(try set())
        case "\\": return .characters(try escape())
        case ")", "*", "+", "?", "]", "{", "|", "}": throw Invalid()
        default: return .characters(.one(next))
        }
    }

    /// What follows a backslash.
    private mutating func escape() throws -> ModelCharacters {
        guard let next = rest.popFirst() else { throw Invalid() }
        switch next {
        case "n": return .one("\n")
        case "r": return .one("\r")
        case "t": return .one("\t")
        case "p": return try category()
        case "P": return .not(try category())
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}":
            return .one(next)
        default: throw Invalid()
        }
    }

    private mutating func category() throws -> ModelCharacters {
        let text = String(String.UnicodeScalarView(rest.prefix { $0 != "}" })) + "}"
        rest = rest.dropFirst(text.unicodeScalars.count)
        switch text {
        case "{L}": return .letters
        case "{Nd}": return .digits
        default: throw Invalid()
        }
    }

    /// What follows an opening bracket.
    private mutating func set() throws -> ModelCharacters {
        let isNegated = take("^")
        var parts: [ModelCharacters] = []
        if take("-") { parts.append(.one("-")) }
        while !take("]") {
            if take("-") {
                // Only the first and the last one stand for themselves.
                guard !parts.isEmpty, take("]") else { throw Invalid() }
                parts.append(.one("-"))
                break
            }
            parts.append(try element())
        }
        if parts.isEmpty { throw Invalid() }
        return isNegated ? .not(.union(parts)) : .union(parts)
    }

    private mutating func element() throws -> ModelCharacters {
        guard let low = try setCharacter() else { return try escape() }
        guard rest.first == "-", rest.dropFirst().first != "]" else { return .one(low) }
        rest.removeFirst()
        guard let high = try setCharacter(), low <= high else { throw Invalid() }
        return .range(low, high)
    }

    /// A character within brackets; nil, behind the backslash, if it is a category.
    private mutating func setCharacter() throws -> Unicode.Scalar? {
        guard let next = rest.popFirst() else { throw Invalid() }
        switch next {
        case "[", "]", "-": throw Invalid()
        case "\\":
            if rest.first == "p" || rest.first == "P" { return nil }
            guard case .one(let scalar) = try escape() else { throw Invalid() }
            return scalar
        default: return next
        }
    }
}
