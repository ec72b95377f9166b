internal import Basics
internal import FrameCodec

/// Reads objects, lists and values of any meaning: each is checked, and errors name its place.
extension AppFileParser {
    /// Reads an object; `body` reads each member's value, and is called with the member's name.
    func members(
        _ body: (String) throws(AppFileError) -> Void
    ) throws(AppFileError) {
        guard reader.peek() == .object else { throw wrongType(expected: "an object") }
        reader.enterObject()
        while let key = reader.nextKey() {
            let name = key.string
            let shown = quotation(name)
            try atValue(path.isEmpty ? shown : "\(path).\(shown)") { () throws(AppFileError) in
                try body(name)
            }
        }
    }

    /// Reads a list into an array; `body` reads each element.
    func elements<Element>(
        each body: () throws(AppFileError) -> Element
    ) throws(AppFileError) -> [Element] {
        guard reader.peek() == .array else { throw wrongType(expected: "an array") }
        reader.enterArray()
        var elements: [Element] = []
        while reader.nextElement() {
            elements.append(try atValue("\(path)[\(elements.count)]", read: body))
        }
        return elements
    }

    /// Reads a list into an array; no two elements may have the same `name`.
    func uniqueElements<Element>(
        each body: () throws(AppFileError) -> Element,
        name: (Element) -> String
    ) throws(AppFileError) -> [Element] {
        var seen: Set<[UInt8]> = []
        return try elements { () throws(AppFileError) -> Element in
            let element = try body()
            if !seen.insert(Array(name(element).utf8)).inserted {
                throw mistake("\(quotation(name(element))) is declared a second time")
            }
            return element
        }
    }

    // MARK: - Texts

    /// Reads a string of any length.
    func string() throws(AppFileError) -> String {
        guard reader.peek() == .string else { throw wrongType(expected: "a string") }
        return reader.readString().string
    }

    /// Reads a text that `parse` understands; `refusal` is what an error says of another.
    func value<Value>(
        orElse refusal: String,
        parse: (String) -> Value?
    ) throws(AppFileError) -> Value {
        guard let value = parse(try string()) else { throw mistake(refusal) }
        return value
    }

    /// Reads a string that is a valid identifier; see `checkIdentifier`.
    func identifier() throws(AppFileError) -> String {
        let text = try string()
        do throws(ProtocolError) {
            try checkIdentifier(text, of: "the id", isStored: isStored)
        } catch {
            throw mistake(error.message)
        }
        return text
    }

    // MARK: - Numbers

    /// Reads `true` or `false`.
    func boolean() throws(AppFileError) -> Bool {
        let kind = reader.peek()
        guard kind == .true || kind == .false else { throw wrongType(expected: "true or false") }
        return reader.readBoolean()
    }

    /// Reads a whole number within a range. Its value counts, not its spelling: 3e1 is 30.
    func number(in range: ClosedRange<Int>) throws(AppFileError) -> Int {
        try number(
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            var whole = JSONReader(text)
            let number = whole.readInteger().flatMap { Int(exactly: $0) }
            return number.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Reads a number of seconds with at most three decimal places: a time in `range`, without
    /// rounding.
    func duration(in range: ClosedRange<Milliseconds>) throws(AppFileError) -> Milliseconds {
        try number(
            expected: "a number of seconds from \(Self.seconds(range.lowerBound)) to "
                + "\(Self.seconds(range.upperBound)), with at most three decimal places"
        ) { text in
            Self.milliseconds(text.string).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Reads a number that `parse` accepts; `expected` says in an error what it must be.
    private func number<Value>(
        expected: String,
        parse: (ByteView) -> Value?
    ) throws(AppFileError) -> Value {
        guard reader.peek() == .number else { throw wrongType(expected: expected) }
        let text = reader.readNumber()
        if let value = parse(text) { return value }
        throw mistake("the value is \(quotation(text.string)); it must be \(expected)")
    }

    /// The time of a decimal number of seconds, computed exactly; nil if that is not a whole
    /// number of ms.
    private static func milliseconds(_ text: String) -> Milliseconds? {
        let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        // Only zero may have an exponent that is too long for an Int: the scanner checks the range.
        let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        return "\(parts[0])e\(exponent &+ 3)".withByteView { product in
            var reader = JSONReader(product)
            return reader.readInteger().map { Milliseconds(rawValue: $0) }
        }
    }

    /// A time as a decimal number of seconds, for messages: 1500 becomes "1.5".
    static func seconds(_ time: Milliseconds) -> String {
        var fraction = String(time.rawValue % 1_000 + 1_000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(time.wholeSeconds)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    // MARK: - What is wrong

    /// The error for a member that is not known where it stands; `known` lists those that are.
    func unknownMember(known: String) -> AppFileError {
        let name = String(path.split(separator: ".").last ?? "")
        return mistake(
            "the member is not known here; known are \(known)"
                + Spelling.hint(for: name, amongPhrase: known)
        )
    }

    /// The error for a value of a wrong type, at which the reader stands; `expected` says what it
    /// must be.
    func wrongType(expected: String) -> AppFileError {
        mistake("the value is \(reader.peek()); it must be \(expected)")
    }

    /// The names in quotation marks as a list of alternatives: `"a", "b" or "c"`.
    static func quotedList(_ names: [String]) -> String {
        let quoted = names.map { "\"\($0)\"" }
        return quoted.dropLast().joined(separator: ", ") + " or " + quoted[quoted.count - 1]
    }
}
