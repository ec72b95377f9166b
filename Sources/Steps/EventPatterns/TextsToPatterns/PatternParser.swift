package import Basics

/// Parses event patterns, strictly: anything outside the language is refused with a sentence that
/// says what would be right.
///
/// A mistake in a pattern would otherwise go unnoticed until a widget stays stale. The language is
/// specified in `protocol/patterns.md`; each parse has a parser of its own.
package struct PatternParser {
    /// Reads the text; its offset is where errors are reported.
    var reader: JSONReader
    /// The value that is being read, for errors.
    var path: PatternPath
    /// Whether the pattern comes from a store or a recording, where former versions may have put
    /// what is refused now: an empty prefix or suffix in `anything-but`.
    let isStored: Bool
    /// Objects and `$or` lists that are open; at most `PatternLimits.depth`.
    private var depth = 0
    /// Conditions of the pattern so far; at most `PatternLimits.conditions`.
    private var conditionCount = 0
    /// Elements of all lists so far; at most `PatternLimits.elements`.
    private var elementCount = 0

    private init(_ reader: JSONReader, path: String, isStored: Bool) {
        self.reader = reader
        self.isStored = isStored
        self.path = PatternPath(root: path)
    }

    /// Parses the object at the reader's position, in a text that `JSONScanner` has accepted; the
    /// reader is after the object then, and unchanged if this throws. The path is the pattern's own
    /// in the text around it, such as `apps[0].kinds[2].match`. `isStored` says that the text is of
    /// a store or a recording, perhaps of a former version. The pattern is within its limits.
    ///
    /// - Throws: what is wrong, with its offset in the whole text.
    package static func parse(
        _ reader: inout JSONReader,
        path: String,
        isStored: Bool = false
    ) throws(PatternError) -> EventPattern {
        var parser = PatternParser(reader, path: path, isStored: isStored)
        let pattern = try parser.pattern()
        reader = parser.reader
        return pattern
    }

    /// Parses a whole text.
    ///
    /// - Throws: what is wrong with it as a pattern or as JSON.
    package static func parse(_ text: ByteView) throws(PatternError) -> EventPattern {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do throws(JSONError) {
            try validateJSON(text, using: &scanner)
        } catch {
            throw PatternError(
                code: code(of: error),
                offset: error.offset,
                path: "",
                message: error.sentence
            )
        }
        var reader = JSONReader(text)
        return try parse(&reader, path: "")
    }

    /// The code for a text that is not one strict JSON object.
    private static func code(of error: JSONError) -> PatternError.Code {
        switch error.code {
        case .notUTF8: .notUTF8
        case .notJSON: .notJSON
        case .notObject: .notObject
        case .tooDeep: .tooDeep
        case .duplicateKey: .duplicateKey
        case .numberRange: .numberRange
        }
    }

    // MARK: - Objects

    /// An object with at least one member, each a condition.
    private mutating func pattern() throws(PatternError) -> EventPattern {
        let start = reader.offset
        guard reader.peek() == .object else {
            throw error("the pattern is \(nounOfNext()); it must be an object", code: .notObject)
        }
        try descend()
        defer { depth -= 1 }
        var conditions: [PatternCondition] = []
        reader.enterObject()
        while let key = reader.nextKey() {
            let name = key.string
            path.enter(member: name)
            try checkLength(name.utf8.count, at: reader.offset, of: "name")
            conditions.append(try condition(name))
            path.leave()
        }
        if conditions.isEmpty {
            throw error(
                "the object is empty; name at least one field, or leave the object out",
                code: .emptyObject,
                at: start
            )
        }
        return EventPattern(conditions: conditions)
    }

    /// The value of a member: `$or`, a nested pattern, or a list of alternatives.
    private mutating func condition(_ name: String) throws(PatternError) -> PatternCondition {
        conditionCount += 1
        if conditionCount > PatternLimits.conditions {
            throw error(
                "the pattern names more than \(PatternLimits.conditions) members",
                code: .limit
            )
        }
        if name == "$or" { return .anyOf(try branches()) }
        switch reader.peek() {
        case .object: return .nested(name, try pattern())
        case .array:
            return .field(
                name,
                try list { parser throws(PatternError) in
                    try parser.alternative(mayBeAllOf: true)
                }
            )
        case .string, .number, .true, .false, .null: throw scalar()
        }
    }

    /// The list of patterns that `$or` takes.
    private mutating func branches() throws(PatternError) -> [EventPattern] {
        guard reader.peek() == .array else {
            throw error(
                "$or is given \(nounOfNext()); it takes a list of patterns, one of which must hold",
                code: .or
            )
        }
        try descend()
        defer { depth -= 1 }
        return try list { parser throws(PatternError) in try parser.branch() }
    }

    /// Parses one of the patterns that `$or` lists.
    private mutating func branch() throws(PatternError) -> EventPattern {
        guard reader.peek() == .object else {
            throw error(
                "the branch is \(nounOfNext()); $or takes a list of patterns, which are objects",
                code: .or
            )
        }
        // Branches need no limit of their own: each has at least one member, and members are
        // limited.
        return try pattern()
    }

    /// Counts one more level of nesting.
    private mutating func descend() throws(PatternError) {
        if depth == PatternLimits.depth {
            throw error(
                "the pattern is nested deeper than \(PatternLimits.depth) levels of objects and "
                    + "$or",
                code: .limit
            )
        }
        depth += 1
    }

    /// The error for a value outside of a list, which quotes the value if it is short.
    private mutating func scalar() -> PatternError {
        let start = reader.offset
        let raw = reader.rawValue()
        let shown = raw.count <= 64 ? raw.string : "…"
        return error(
            "a value must stand in a list of alternatives: [\(shown)]",
            code: .scalar,
            at: start
        )
    }

    // MARK: - Shared steps

    /// Parses a list of at least one element, each with `element`.
    mutating func list<Element>(
        _ element: (inout PatternParser) throws(PatternError) -> Element
    ) throws(PatternError) -> [Element] {
        let start = reader.offset
        reader.enterArray()
        var elements: [Element] = []
        while reader.nextElement() {
            try countElement(elements.count)
            path.enter(element: elements.count)
            elements.append(try element(&self))
            path.leave()
        }
        if elements.isEmpty {
            throw error(
                "the list is empty; it must have at least one value",
                code: .emptyList,
                at: start
            )
        }
        return elements
    }

    /// Counts one more element of a list that has `before` elements so far.
    private mutating func countElement(_ before: Int) throws(PatternError) {
        if before == PatternLimits.alternatives {
            let message = "the list has more than \(PatternLimits.alternatives) elements"
            throw error(message, code: .limit)
        }
        elementCount += 1
        if elementCount > PatternLimits.elements {
            let message = "the lists have more than \(PatternLimits.elements) elements together"
            throw error(message, code: .limit)
        }
    }

    /// An error at the current path; at the value that is read next, unless an offset is named.
    func error(_ message: String, code: PatternError.Code, at offset: Int? = nil) -> PatternError {
        PatternError(code: code, offset: offset ?? reader.offset, path: path.text, message: message)
    }

    /// The value at the reader's position as a noun with its article, for errors.
    func nounOfNext() -> String {
        switch reader.peek() {
        case .object: "an object"
        case .array: "a list"
        case .string: "a string"
        case .number: "a number"
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }

    /// Throws if a name, string or number has more than `PatternLimits.valueBytes` bytes.
    func checkLength(_ count: Int, at offset: Int, of noun: String) throws(PatternError) {
        if count > PatternLimits.valueBytes {
            throw error(
                "the \(noun) is longer than \(PatternLimits.valueBytes) bytes, the most that a "
                    + "payload can have",
                code: .limit,
                at: offset
            )
        }
    }
}

/// The parser's current position in a pattern; made into text only for an error.
struct PatternPath {
    /// One step of the path: to a member of an object or to an element of a list.
    private enum Step {
        case member(String)
        case element(Int)
    }

    /// Path of the pattern itself in the text around it; may be empty.
    private let root: String
    private var steps: [Step] = []

    /// - Parameter root: the path of the pattern itself.
    init(root: String) { self.root = root }

    /// Descends to a member of an object; `leave` returns from it.
    mutating func enter(member name: String) { steps.append(.member(name)) }
    /// Descends to an element of a list; `leave` returns from it.
    mutating func enter(element index: Int) { steps.append(.element(index)) }
    /// Returns from the member or element that was entered last.
    mutating func leave() { steps.removeLast() }

    /// The path, such as `place.region[0].prefix`.
    var text: String {
        steps.reduce(into: root) { text, step in
            switch step {
            case .member(let name): text += (text.isEmpty ? "" : ".") + quotation(name)
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}
