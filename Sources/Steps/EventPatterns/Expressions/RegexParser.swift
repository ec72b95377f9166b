internal import Basics

/// Parses a regular expression of RFC 9485 (I-Regexp) into a `RegexNode`.
///
/// It descends recursively, as deep as groups are nested, which `RegularExpression.nestingLimit`
/// bounds. `RegularExpression` uses it once for each expression.
struct RegexParser {
    private let text: ByteView
    /// Byte of the text that is read next.
    private var offset = 0
    /// Groups that are open.
    private var depth = 0
    /// The sets to which `RegexNode.set` refers by index, normalised.
    private(set) var sets: ContiguousArray<ScalarSet> = []
    /// Whether a branch begins with `^` or ends with `$`: a character where other languages have
    /// an anchor.
    private(set) var hasAnchor = false

    /// - Parameter text: valid UTF-8.
    init(_ text: ByteView) { self.text = text }

    /// Parses the whole text.
    mutating func parse() throws(RegularExpressionError) -> RegexNode {
        let limit = PatternLimits.expressionBytes
        if text.count > limit {
            throw failure("A regular expression has at most \(limit) bytes.", at: limit)
        }
        let node = try alternatives()
        if offset < text.count { throw failure("The closing parenthesis closes no group.") }
        return node
    }

    // MARK: - The grammar, rule by rule

    /// Branches with `|` between them, up to a closing parenthesis or the end.
    private mutating func alternatives() throws(RegularExpressionError) -> RegexNode {
        var branches = [try branch()]
        while accept("|") { branches.append(try branch()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    /// Pieces in sequence, up to a `|`, a closing parenthesis or the end; may be empty.
    private mutating func branch() throws(RegularExpressionError) -> RegexNode {
        var pieces: [RegexNode] = []
        while let next = peek(), next != "|" && next != ")" {
            let isFirst = pieces.isEmpty
            let atom = try atom()
            if next == "^" && isFirst || next == "$" && isBranchEnd { hasAnchor = true }
            pieces.append(try quantified(atom))
        }
        return pieces.count == 1 ? pieces[0] : .sequence(pieces)
    }

    /// The atom, repeated if a quantifier follows it.
    private mutating func quantified(
        _ atom: RegexNode
    ) throws(RegularExpressionError) -> RegexNode {
        if accept("*") { return .repetition(atom, least: 0, most: nil) }
        if accept("+") { return .repetition(atom, least: 1, most: nil) }
        if accept("?") { return .repetition(atom, least: 0, most: 1) }
        return peek() == "{" ? try counted(atom) : atom
    }

    /// Reads the quantifier `{n}`, `{n,}` or `{n,m}`.
    private mutating func counted(_ atom: RegexNode) throws(RegularExpressionError) -> RegexNode {
        let start = offset
        offset += 1
        let least = try number()
        var most: Int? = least
        if accept(",") { most = peek() == "}" ? nil : try number() }
        if !accept("}") { throw failure("A count is written {n}, {n,} or {n,m}.", at: start) }
        if let most, most < least {
            throw failure("The count's second number is less than its first.", at: start)
        }
        return .repetition(atom, least: least, most: most)
    }

    /// Reads a decimal number. One above 1,000,000 is read as that, which is more repetitions than
    /// fit into a compiled expression.
    private mutating func number() throws(RegularExpressionError) -> Int {
        let start = offset
        var value = 0
        while offset < text.count, text[offset] &- 0x30 <= 9 {
            value = min(value * 10 + Int(text[offset] - 0x30), 1_000_000)
            offset += 1
        }
        if offset == start { throw failure("A count is written {n}, {n,} or {n,m}.") }
        return value
    }

    /// A group, a class, an escape, a dot or a plain character.
    private mutating func atom() throws(RegularExpressionError) -> RegexNode {
        switch peek() {
        case "(": return try group()
        case "[": return try characterClass()
        case "\\": return try escape()
        case ".":
            offset += 1
            var set = ScalarSet()
            set.insert(0x0a...0x0a)
            set.insert(0x0d...0x0d)
            set.isNegated = true
            return node(set)
        case "*", "+", "?", "{":
            throw failure("The quantifier has nothing in front of it that it could repeat.")
        case "]", "}": throw failure("A closing bracket or brace must be escaped.")
        default: return .scalar(UTF8Text.next(text, at: &offset))
        }
    }

    /// An expression in parentheses.
    private mutating func group() throws(RegularExpressionError) -> RegexNode {
        let start = offset
        if depth == RegularExpression.nestingLimit {
            throw failure("Groups are nested at most \(RegularExpression.nestingLimit) deep.")
        }
        depth += 1
        offset += 1
        if peek() == "?" { throw failure("A group begins with an expression, not with (?.") }
        let node = try alternatives()
        if !accept(")") { throw failure("The group is not closed.", at: start) }
        depth -= 1
        return node
    }

    /// An escape outside of a class: a category or a single character.
    private mutating func escape() throws(RegularExpressionError) -> RegexNode {
        if let categories = try categoryEscape() {
            var set = ScalarSet()
            set.insert(categories)
            return node(set)
        }
        return .scalar(try characterEscape())
    }

    /// Reads `\p{…}` or `\P{…}`; nil if the text continues with something else.
    private mutating func categoryEscape() throws(RegularExpressionError) -> GeneralCategories? {
        let start = offset
        guard offset + 1 < text.count, text[offset] == 0x5c, text[offset + 1] | 0x20 == 0x70 else {
            return nil
        }
        let isComplement = text[offset + 1] == 0x50
        offset += 2
        if !accept("{") { throw failure("A category is written \\p{…}.", at: start) }
        let nameStart = offset
        while let next = peek(), next != "}" { offset += next.utf8.count }
        if peek() == nil { throw failure("A category is written \\p{…}.", at: start) }
        let name = text.slice(nameStart, to: offset).string
        offset += 1
        guard let categories = GeneralCategories(name: name) else {
            throw failure("There is no general category of that name.", at: nameStart)
        }
        return isComplement ? GeneralCategories.all.subtracting(categories) : categories
    }

    /// Reads a backslash and the character that it makes literal, or `\n`, `\r` or `\t`.
    private mutating func characterEscape() throws(RegularExpressionError) -> UInt32 {
        let start = offset
        offset += 1
        guard let next = peek() else {
            throw failure("The backslash at the end escapes nothing.", at: start)
        }
        offset += next.utf8.count
        switch next {
        case "n": return 0x0a
        case "r": return 0x0d
        case "t": return 0x09
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}":
            return next.value
        default: throw failure("There is no such escape in RFC 9485.", at: start)
        }
    }

    // MARK: - Classes

    /// A class in brackets; one that begins with `^` matches all other characters.
    private mutating func characterClass() throws(RegularExpressionError) -> RegexNode {
        let start = offset
        var set = ScalarSet()
        offset += 1
        set.isNegated = accept("^")
        let first = offset
        if accept("-") { set.insert(0x2d...0x2d) }
        while true {
            switch peek() {
            case nil: throw failure("The class is not closed.", at: start)
            case "]":
                if offset == first { throw failure("A class has at least one character.") }
                offset += 1
                return node(set)
            case "-":
                // A hyphen is literal directly before the closing bracket.
                try requireLastHyphen()
                set.insert(0x2d...0x2d)
            default: try classElement(&set)
            }
        }
    }

    /// Skips a hyphen; throws unless the class ends after it.
    private mutating func requireLastHyphen() throws(RegularExpressionError) {
        offset += 1
        if peek() != "]" {
            throw failure(
                "A hyphen in a class stands first, last or in a range, or is escaped.",
                at: offset - 1
            )
        }
    }

    /// Adds a category, a character or a range of characters to the set.
    private mutating func classElement(_ set: inout ScalarSet) throws(RegularExpressionError) {
        if let categories = try categoryEscape() {
            set.insert(categories)
            return
        }
        let start = offset
        let low = try classCharacter()
        var high = low
        let isRange = offset + 1 < text.count && text[offset] == 0x2d && text[offset + 1] != 0x5d
        if isRange {
            offset += 1
            high = try classCharacter()
        }
        if high < low { throw failure("The range's end lies in front of its start.", at: start) }
        set.insert(low...high)
    }

    /// One character of a class, which may be escaped.
    private mutating func classCharacter() throws(RegularExpressionError) -> UInt32 {
        switch peek() {
        case nil: throw failure("The class is not closed.")
        case "[": throw failure("An opening bracket in a class must be escaped.")
        case "-", "]":
            throw failure("A hyphen in a class stands first, last or in a range, or is escaped.")
        case "\\": return try characterEscape()
        default: return UTF8Text.next(text, at: &offset)
        }
    }

    /// The node for a set; a set of one character becomes that character.
    private mutating func node(_ set: ScalarSet) -> RegexNode {
        if let scalar = set.single { return .scalar(scalar) }
        var ready = set
        ready.normalize()
        if let same = sets.firstIndex(of: ready) { return .set(same) }
        sets.append(ready)
        return .set(sets.count - 1)
    }

    // MARK: - Reading the text

    /// Whether the branch has no more pieces.
    private var isBranchEnd: Bool {
        let next = peek()
        return next == nil || next == "|" || next == ")"
    }

    /// The next character, which is not consumed; nil at the end.
    private func peek() -> Unicode.Scalar? {
        if offset == text.count { return nil }
        var end = offset
        return Unicode.Scalar(UTF8Text.next(text, at: &end))
    }

    /// Consumes the character if it comes next; it must be ASCII.
    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        if peek() != character { return false }
        offset += 1
        return true
    }

    /// The error for a mistake at a byte of the text; at the next byte to read if `place` is nil.
    private func failure(_ reason: String, at position: Int? = nil) -> RegularExpressionError {
        RegularExpressionError(reason, at: position ?? offset)
    }
}
