package import Basics

/// Reads a frame's body member by member, and words the errors for missing and wrong ones.
///
///     var body = BodyReader(bytes, of: .request)
///     while let name = body.next() {
///         switch name {
///         case "device": device = try body.string()
///         default: body.skip()
///         }
///     }
///
/// The bytes must have passed the strict scanner, so they are one JSON object. Unknown members are
/// skipped, because later versions of the protocol may add some. Errors name a value by its path,
/// such as `widgets[2].id`; it is put together for them alone.
package struct BodyReader {
    private var reader: JSONReader
    private let frame: FrameType
    /// The highest whole number that is accepted.
    private let numberLimit: UInt64
    /// The member of the body in which this object or list is; empty for the body itself.
    private var outer = ByteView.empty
    /// The position in that member's list: of this object, or of the present element; -1 for none.
    private var position = -1
    /// The name of the present member; nil in a list.
    private var name: JSONText?

    /// Makes a reader of a body; errors name the frame's type. A stored body comes from a store or
    /// a recording, which may be older than the limit of numbers.
    package init(_ bytes: ByteView, of frame: FrameType, isStored: Bool = false) {
        reader = JSONReader(bytes)
        self.frame = frame
        numberLimit = isStored ? .max : RouterLimits.numberLimit
        reader.enterObject()
    }

    /// Makes a reader of a list that `array` has returned, the value of a member of the body.
    package init(
        list: ByteView,
        named name: StaticString,
        of frame: FrameType,
        isStored: Bool = false
    ) {
        reader = JSONReader(list)
        self.frame = frame
        numberLimit = isStored ? .max : RouterLimits.numberLimit
        outer = ByteView(name)
        reader.enterArray()
    }

    /// Moves to the next member, and returns its name; nil after the last one. One of the methods
    /// below must consume its value.
    package mutating func next() -> JSONText? {
        name = reader.nextKey()
        return name
    }

    /// Moves to the next element of a list, which one of the methods below must consume; false
    /// after the last one.
    package mutating func nextElement() -> Bool {
        position += 1
        return reader.nextElement()
    }

    /// The kind of the present value.
    package var kind: JSONKind { reader.peek() }

    /// Consumes a value, whatever it is.
    package mutating func skip() { reader.skipValue() }

    /// Reads a string; throws `body-invalid` (in HELLO `hello-invalid`) for any other value, as do
    /// the methods below.
    package mutating func string() throws(ProtocolError) -> JSONText {
        if kind != .string { throw wrong(expected: "a string") }
        return reader.readString()
    }

    /// Reads a boolean.
    package mutating func boolean() throws(ProtocolError) -> Bool {
        if kind != .true && kind != .false { throw wrong(expected: "true or false") }
        return reader.readBoolean()
    }

    /// Reads a date in ms since 1970: a whole number from 0 to `RouterLimits.numberLimit`.
    package mutating func date() throws(ProtocolError) -> WallTime {
        let kind = kind
        guard let value = reader.readInteger(), value >= 0, UInt64(value) <= numberLimit else {
            let expected = "a whole number of milliseconds since 1970, at most \(numberLimit)"
            throw wrong(expected: expected, found: kind)
        }
        return WallTime(rawValue: value)
    }

    /// Reads a whole number from 0 to `RouterLimits.numberLimit`.
    package mutating func unsigned() throws(ProtocolError) -> UInt64 {
        let kind = kind
        guard let value = reader.readUnsigned(), value <= numberLimit else {
            throw wrong(expected: "a whole number from 0 to \(numberLimit)", found: kind)
        }
        return value
    }

    /// Reads a string that is one of a few.
    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type
    ) throws(ProtocolError) -> Choice {
        if let choice = Choice(rawValue: try string().string) { return choice }
        let names = Choice.allCases.map { "\"\($0.rawValue)\"" }
        throw invalid(names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""))
    }

    /// Returns the bytes of an array, to be read later.
    package mutating func array() throws(ProtocolError) -> ByteView {
        if kind != .array { throw wrong(expected: "an array") }
        return reader.rawValue()
    }

    /// Consumes an empty array and returns true; false for any other value.
    package mutating func skipsEmptyArray() -> Bool {
        if kind != .array { return false }
        var ahead = reader
        ahead.enterArray()
        if ahead.nextElement() { return false }
        reader = ahead
        return true
    }

    /// Returns the bytes of an object, to be read later.
    package mutating func object() throws(ProtocolError) -> ByteView {
        if kind != .object { throw wrong(expected: "an object") }
        return reader.rawValue()
    }

    /// A reader of an object's members.
    package mutating func members() throws(ProtocolError) -> BodyReader {
        var inner = inner(try object())
        inner.reader.enterObject()
        return inner
    }

    /// A reader of a list's elements.
    package mutating func elements() throws(ProtocolError) -> BodyReader {
        var inner = inner(try array())
        inner.reader.enterArray()
        return inner
    }

    /// Reads a list of strings.
    package mutating func strings() throws(ProtocolError) -> [String] {
        var list = try elements()
        var strings: [String] = []
        while list.nextElement() { strings.append(try list.string().string) }
        return strings
    }

    /// The reader of the present value, before it has entered that.
    private func inner(_ bytes: ByteView) -> BodyReader {
        var inner = self
        inner.reader = JSONReader(bytes)
        guard let name else { return inner }
        inner.outer = name.raw
        inner.position = -1
        inner.name = nil
        return inner
    }

    // MARK: - Errors

    /// The code of all errors: of HELLO, they end the connection.
    private var code: ErrorCode { frame == .hello ? .helloInvalid : .bodyInvalid }

    /// Returns the value of a member that must be present; throws if it is nil.
    package func required<Value>(
        _ value: Value?,
        at name: StaticString
    ) throws(ProtocolError) -> Value {
        if let value { return value }
        let message = "\(frame.name) has no member \(path(of: name.description))"
        throw ProtocolError(code, message: message)
    }

    /// The error for a present value that is none of those that it may be.
    package func invalid(_ expected: String) -> ProtocolError {
        let present = name.map { path(of: $0.string) } ?? place
        let message = "\(present) of \(frame.name) must be \(expected)"
        return ProtocolError(code, message: message)
    }

    /// The error for a value of the wrong type; by default the present one.
    package func wrong(expected: String, found: JSONKind? = nil) -> ProtocolError {
        let kind = found ?? kind
        let advice = kind == .null ? "; a member without a value is left out" : ""
        return invalid("\(expected), and is \(kind)\(advice)")
    }

    /// Where this object, or the present element of this list, is in the body.
    private var place: String { outer.string + (position < 0 ? "" : "[\(position)]") }

    private func path(of name: String) -> String { outer.count == 0 ? name : "\(place).\(name)" }
}

extension ProtocolError {
    /// The error for a body that the JSON scanner has refused.
    package init(_ error: JSONError) {
        let code: ErrorCode =
            switch error.code {
            case .notUTF8: .payloadNotUTF8
            case .notJSON: .payloadNotJSON
            case .notObject: .payloadNotObject
            case .tooDeep: .payloadTooDeep
            case .duplicateKey: .payloadDuplicateKey
            case .numberRange: .payloadNumberRange
            }
        self.init(code, message: error.message)
    }
}
