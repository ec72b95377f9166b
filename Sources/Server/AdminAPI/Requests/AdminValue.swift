internal import Basics

/// A JSON value in a request's body, with its path in the body for error messages.
///
/// A view of the body's bytes: valid only while `read` runs. Its path is made when it is
/// asked for: a body may have hundreds of thousands of members.
struct AdminValue {
    /// Where a value is in the one around it.
    private enum Step {
        case root
        case member(JSONText)
        case element(Int)
    }

    private let bytes: ByteView
    /// The path of the value around it.
    private let parent: String
    private let step: Step

    private init(_ bytes: ByteView, parent: String = "", step: Step = .root) {
        self.bytes = bytes
        self.parent = parent
        self.step = step
    }

    /// Path of the value, such as `dates[3].after`; empty for the body itself.
    var path: String {
        switch step {
        case .root: ""
        case .member(let name): (parent.isEmpty ? "" : "\(parent).") + quotation(name.string)
        case .element(let index): "\(parent)[\(index)]"
        }
    }

    /// Copies the text of the value.
    var text: [UInt8] { bytes.array }

    /// Reads a body that must be a JSON object, strict by the rules of the push protocol, nested at
    /// most `depth` deep.
    ///
    /// - Throws: a 400 problem that says what is wrong, and where; or what `body` throws.
    static func read<Result>(
        _ bytes: [UInt8],
        depth: Int,
        body: (AdminValue) throws(AdminProblem) -> Result
    ) throws(AdminProblem) -> Result {
        try bytes.withByteView { (view) throws(AdminProblem) in
            var scanner = JSONScanner(depthLimit: depth)
            do throws(JSONError) {
                try validateJSON(view, using: &scanner)
            } catch {
                throw .bodyInvalid(error.message)
            }
            return try body(AdminValue(view))
        }
    }

    private var kind: JSONKind { JSONReader(bytes).peek() }

    /// The value itself; nil if it is `null`.
    var nonNull: AdminValue? { kind == .null ? nil : self }

    // MARK: - Conversions

    /// Reads an object, calling `member` for each member.
    func members(_ member: (String, AdminValue) throws(AdminProblem) -> Void) throws(AdminProblem) {
        if kind != .object { throw wrong("an object") }
        var reader = JSONReader(bytes)
        reader.enterObject()
        let parent = path
        while let name = reader.nextKey() {
            let value = reader.rawValue()
            try member(name.string, AdminValue(value, parent: parent, step: .member(name)))
        }
    }

    /// Reads an object whose members have some of these names.
    func members(of names: [String]) throws(AdminProblem) -> AdminMembers {
        var values: [(String, AdminValue)] = []
        values.reserveCapacity(names.count)
        try members { (name, value) throws(AdminProblem) in
            if !names.contains(name) { throw value.unknown(names) }
            values.append((name, value))
        }
        return AdminMembers(object: self, values: values)
    }

    /// Reads a list of at most `limit` values.
    func list<Element>(
        _ limit: Int,
        element: (AdminValue) throws(AdminProblem) -> Element
    ) throws(AdminProblem) -> [Element] {
        if kind != .array { throw wrong("a list") }
        assert(limit > 0, "a list that must be empty")
        var reader = JSONReader(bytes)
        reader.enterArray()
        var elements: [Element] = []
        let parent = path
        while reader.nextElement() {
            if elements.count == limit { throw wrong("a list of at most \(limit)") }
            let value = reader.rawValue()
            let step = Step.element(elements.count)
            elements.append(try element(AdminValue(value, parent: parent, step: step)))
        }
        return elements
    }

    /// Copies the text of an object.
    func object() throws(AdminProblem) -> [UInt8] {
        if kind != .object { throw wrong("an object") }
        return bytes.array
    }

    /// Reads a string of at most `byteLimit` bytes of UTF-8.
    func string(_ byteLimit: Int) throws(AdminProblem) -> String {
        if kind != .string { throw wrong("a string") }
        var reader = JSONReader(bytes)
        let text = reader.readString().string
        if text.utf8.count > byteLimit { throw wrong("a string of at most \(byteLimit) bytes") }
        return text
    }

    /// A string, or a whole number or a boolean as a text says it; nil for anything else.
    var scalarText: String? {
        var reader = JSONReader(bytes)
        switch kind {
        case .string: return reader.readString().string
        case .number: return reader.readInteger().map { "\($0)" }
        case .true: return "true"
        case .false: return "false"
        case .object, .array, .null: return nil
        }
    }

    /// Reads an identifier of the push protocol.
    func identifier() throws(AdminProblem) -> String {
        if kind != .string { throw wrong("a string") }
        var reader = JSONReader(bytes)
        let text = reader.readString().string
        try AdminProblem.checkIdentifier(text, as: path)
        return text
    }

    func boolean() throws(AdminProblem) -> Bool {
        switch kind {
        case .true: true
        case .false: false
        default: throw wrong("true or false")
        }
    }

    /// Reads a whole number, by value: 3e1 is 30.
    func integer(_ range: ClosedRange<Int64>) throws(AdminProblem) -> Int64 {
        var reader = JSONReader(bytes)
        guard kind == .number, let number = reader.readInteger(), range.contains(number) else {
            throw wrong("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Reads a date in ms since 1970, up to the year 9999; 0 is a date that is over. By the present
    /// date, one in another unit is recognized.
    func date(now: WallTime) throws(AdminProblem) -> WallTime {
        let number = try integer(0...Int64.max)
        if number > 0, let unit = WallTime.misreading(of: UInt64(number), now: now) {
            throw .bodyInvalid(
                "\(path) is \(number), which looks like \(unit); send milliseconds since "
                    + "1970"
            )
        }
        return WallTime(rawValue: try integer(0...WallTime.lastDate.rawValue))
    }

    // MARK: - Errors

    /// The value is not what it must be; `expected` completes the sentence.
    func wrong(_ expected: String) -> AdminProblem {
        let found = kind == .null ? ", and is null" : ""
        return .bodyInvalid("\(path) must be \(expected)\(found)")
    }

    /// The member is not allowed; these are the names of the allowed ones.
    private func unknown(_ names: [String]) -> AdminProblem {
        let name = String(path.split(separator: ".").last ?? "")
        let others = names.dropLast().joined(separator: ", ")
        let known = others + (others.isEmpty ? "" : " and ") + names[names.count - 1]
        return .bodyInvalid(
            "there is no member \(path); there are \(known)"
                + Spelling.hint(for: name, amongPhrase: known)
        )
    }
}

/// The members of an object in a request's body, by their names.
struct AdminMembers {
    fileprivate let object: AdminValue
    fileprivate let values: [(String, AdminValue)]

    /// The value of a member; nil if it is not there.
    subscript(name: String) -> AdminValue? { values.last { $0.0 == name }?.1 }

    /// The value of a member, which must be there.
    func needed(_ name: String) throws(AdminProblem) -> AdminValue {
        if let value = self[name] { return value }
        let path = object.path
        throw .bodyInvalid("\(path.isEmpty ? "the body" : path) has no member \(name)")
    }
}
