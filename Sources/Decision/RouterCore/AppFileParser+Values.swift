internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// Members, lists and values, each checked and with its place.
extension AppFileParser {
    func members(
        _ reader: inout JSONReader,
        _ path: String,
        _ body: (String, inout JSONReader, String) throws(AppFileError) -> Void
    ) throws(AppFileError) {
        guard reader.peek() == .object else { throw wrong(reader, path, "an object") }
        reader.enterObject()
        while let key = reader.nextKey() {
            let name = key.string
            let shown = quotation(name)
            try body(name, &reader, path.isEmpty ? shown : "\(path).\(shown)")
        }
    }

    func forEachElement(
        _ reader: inout JSONReader,
        _ path: String,
        _ body: (inout JSONReader, String) throws(AppFileError) -> Void
    ) throws(AppFileError) {
        guard reader.peek() == .array else { throw wrong(reader, path, "an array") }
        reader.enterArray()
        var index = 0
        while reader.nextElement() {
            try body(&reader, "\(path)[\(index)]")
            index += 1
        }
    }

    func elements<Element>(
        _ reader: inout JSONReader,
        _ path: String,
        _ body: (inout JSONReader, String) throws(AppFileError) -> Element
    ) throws(AppFileError) -> [Element] {
        var elements: [Element] = []
        try forEachElement(&reader, path) { (reader, path) throws(AppFileError) in
            elements.append(try body(&reader, path))
        }
        return elements
    }

    func string(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> String {
        guard reader.peek() == .string else { throw wrong(reader, path, "a string") }
        return reader.readString().string
    }

    func identifier(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> String {
        let start = reader.offset
        let text = try string(&reader, path)
        do throws(ProtocolError) {
            try checkIdentifier(text, "the id", isStored: isStored)
        } catch {
            throw self.error(at: start, path, error.message)
        }
        return text
    }

    /// Reads a list whose elements must have different names.
    func uniqueElements<Element>(
        _ reader: inout JSONReader,
        _ path: String,
        _ body: (inout JSONReader, String) throws(AppFileError) -> Element,
        name: (Element) -> String
    ) throws(AppFileError) -> [Element] {
        var seen: Set<[UInt8]> = []
        return try elements(&reader, path) { (reader, path) throws(AppFileError) in
            let start = reader.offset
            let element = try body(&reader, path)
            if !seen.insert(Array(name(element).utf8)).inserted {
                throw error(
                    at: start,
                    path,
                    "\(quotation(name(element))) is declared a second time"
                )
            }
            return element
        }
    }

    func boolean(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> Bool {
        let kind = reader.peek()
        guard kind == .true || kind == .false else { throw wrong(reader, path, "true or false") }
        return reader.readBoolean()
    }

    // MARK: - Numbers

    /// Reads a whole number, by value: 3e1 is 30.
    func number(
        _ reader: inout JSONReader,
        _ path: String,
        _ range: ClosedRange<Int>
    ) throws(AppFileError) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard reader.peek() == .number else { throw wrong(reader, path, expected) }
        let start = reader.offset
        var whole = reader
        let text = reader.readNumber().string
        guard let value = whole.readInteger(), let number = Int(exactly: value),
            range.contains(number)
        else {
            throw error(at: start, path, "the value is \(quotation(text)); it must be \(expected)")
        }
        return number
    }

    /// Reads a number of seconds, which may have a fraction of whole milliseconds.
    ///
    /// - Returns: milliseconds, exactly.
    func duration(
        _ reader: inout JSONReader,
        _ path: String,
        _ range: ClosedRange<Int64>
    ) throws(AppFileError) -> Int64 {
        let expected =
            "a number of seconds from \(Self.seconds(range.lowerBound)) to "
            + "\(Self.seconds(range.upperBound)), with at most three decimal places"
        guard reader.peek() == .number else { throw wrong(reader, path, expected) }
        let start = reader.offset
        let text = reader.readNumber().string
        guard let value = Self.milliseconds(text), range.contains(value) else {
            throw error(at: start, path, "the value is \(quotation(text)); it must be \(expected)")
        }
        return value
    }

    /// A number's text times 1000, by its exact decimal value; nil if that is no whole number.
    private static func milliseconds(_ text: String) -> Int64? {
        let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        // Only zero may have an exponent that is too long for an Int: the scanner checks the range.
        let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        return "\(parts[0])e\(exponent &+ 3)".withByteView { product in
            var reader = JSONReader(product)
            return reader.readInteger()
        }
    }

    /// Milliseconds as seconds, for people: 1500 is 1.5.
    static func seconds(_ milliseconds: Int64) -> String {
        var fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(milliseconds / 1_000)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    // MARK: - What is wrong

    func unknown(
        _ reader: JSONReader,
        _ path: String,
        _ known: String
    ) -> AppFileError {
        error(at: reader.offset, path, "the member is not known here; known are \(known)")
    }

    func wrong(
        _ reader: JSONReader,
        _ path: String,
        _ expected: String
    ) -> AppFileError {
        error(at: reader.offset, path, "the value is \(reader.peek()); it must be \(expected)")
    }

    /// `"a", "b" or "c"`.
    static func quotedList(_ names: [String]) -> String {
        let quoted = names.map { "\"\($0)\"" }
        return quoted.dropLast().joined(separator: ", ") + " or " + quoted[quoted.count - 1]
    }
}
