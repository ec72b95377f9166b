internal import Basics
internal import FrameCodec

/// Reads objects, lists and values of any meaning: each is checked, and errors name its path.
extension AppFileParser {
    /// Reads an object; `body` reads each member's value, and is called with the member's name, the
    /// reader and the member's path.
    func members(
        _ reader: inout JSONReader,
        path: String,
        body: (String, inout JSONReader, String) throws(AppFileError) -> Void
    ) throws(AppFileError) {
        guard reader.peek() == .object else {
            throw wrongType(reader, path: path, expected: "an object")
        }
        reader.enterObject()
        while let key = reader.nextKey() {
            let name = key.string
            let shown = quotation(name)
            try body(name, &reader, path.isEmpty ? shown : "\(path).\(shown)")
        }
    }

    /// Reads a list; `body` reads each element.
    func forEachElement(
        _ reader: inout JSONReader,
        path: String,
        body: (inout JSONReader, String) throws(AppFileError) -> Void
    ) throws(AppFileError) {
        guard reader.peek() == .array else {
            throw wrongType(reader, path: path, expected: "an array")
        }
        reader.enterArray()
        var index = 0
        while reader.nextElement() {
            try body(&reader, "\(path)[\(index)]")
            index += 1
        }
    }

    /// Reads a list into an array; `body` reads each element.
    func elements<Element>(
        _ reader: inout JSONReader,
        path: String,
        each body: (inout JSONReader, String) throws(AppFileError) -> Element
    ) throws(AppFileError) -> [Element] {
        var elements: [Element] = []
        try forEachElement(&reader, path: path) { (reader, path) throws(AppFileError) in
            elements.append(try body(&reader, path))
        }
        return elements
    }

    /// Reads a string of any length.
    func string(_ reader: inout JSONReader, path: String) throws(AppFileError) -> String {
        guard reader.peek() == .string else {
            throw wrongType(reader, path: path, expected: "a string")
        }
        return reader.readString().string
    }

    /// Reads a string that is a valid identifier; see `checkIdentifier`.
    func identifier(_ reader: inout JSONReader, path: String) throws(AppFileError) -> String {
        let start = reader.offset
        let text = try string(&reader, path: path)
        do throws(ProtocolError) {
            try checkIdentifier(text, of: "the id", isStored: isStored)
        } catch {
            throw self.error(at: start, path: path, message: error.message)
        }
        return text
    }

    /// Reads a list into an array; no two elements may have the same `name`.
    func uniqueElements<Element>(
        _ reader: inout JSONReader,
        path: String,
        each body: (inout JSONReader, String) throws(AppFileError) -> Element,
        name: (Element) -> String
    ) throws(AppFileError) -> [Element] {
        var seen: Set<[UInt8]> = []
        return try elements(&reader, path: path) { (reader, path) throws(AppFileError) in
            let start = reader.offset
            let element = try body(&reader, path)
            if !seen.insert(Array(name(element).utf8)).inserted {
                throw error(
                    at: start,
                    path: path,
                    message: "\(quotation(name(element))) is declared a second time"
                )
            }
            return element
        }
    }

    /// Reads `true` or `false`.
    func boolean(_ reader: inout JSONReader, path: String) throws(AppFileError) -> Bool {
        let kind = reader.peek()
        guard kind == .true || kind == .false else {
            throw wrongType(reader, path: path, expected: "true or false")
        }
        return reader.readBoolean()
    }

    // MARK: - Numbers

    /// Reads a whole number within a range. Its value counts, not its spelling: 3e1 is 30.
    func number(
        _ reader: inout JSONReader,
        path: String,
        in range: ClosedRange<Int>
    ) throws(AppFileError) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard reader.peek() == .number else {
            throw wrongType(reader, path: path, expected: expected)
        }
        let start = reader.offset
        var whole = reader
        let text = reader.readNumber().string
        guard let value = whole.readInteger(), let number = Int(exactly: value),
            range.contains(number)
        else {
            throw error(
                at: start,
                path: path,
                message: "the value is \(quotation(text)); it must be \(expected)"
            )
        }
        return number
    }

    /// Reads a number of seconds with at most three decimal places: a time in `range`, without
    /// rounding.
    func duration(
        _ reader: inout JSONReader,
        path: String,
        in range: ClosedRange<Milliseconds>
    ) throws(AppFileError) -> Milliseconds {
        let expected =
            "a number of seconds from \(Self.seconds(range.lowerBound)) to "
            + "\(Self.seconds(range.upperBound)), with at most three decimal places"
        guard reader.peek() == .number else {
            throw wrongType(reader, path: path, expected: expected)
        }
        let start = reader.offset
        let text = reader.readNumber().string
        guard let value = Self.milliseconds(text), range.contains(value) else {
            throw error(
                at: start,
                path: path,
                message: "the value is \(quotation(text)); it must be \(expected)"
            )
        }
        return value
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
    func unknownMember(_ reader: JSONReader, path: String, known: String) -> AppFileError {
        let name = String(path.split(separator: ".").last ?? "")
        return error(
            at: reader.offset,
            path: path,
            message: "the member is not known here; known are \(known)"
                + Spelling.hint(for: name, amongPhrase: known)
        )
    }

    /// The error for a value of a wrong type; `expected` says what it must be.
    func wrongType(_ reader: JSONReader, path: String, expected: String) -> AppFileError {
        error(
            at: reader.offset,
            path: path,
            message: "the value is \(reader.peek()); it must be \(expected)"
        )
    }

    /// The names in quotation marks as a list of alternatives: `"a", "b" or "c"`.
    static func quotedList(_ names: [String]) -> String {
        let quoted = names.map { "\"\($0)\"" }
        return quoted.dropLast().joined(separator: ", ") + " or " + quoted[quoted.count - 1]
    }
}
