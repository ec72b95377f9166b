package import Basics

/// Reads the members of a frame's body, and words the errors for missing and wrong ones.
///
/// The bytes must have passed the strict scanner, so they are one JSON object. Unknown members are
/// skipped, because later versions of the protocol may add some. A `path` names the value in
/// errors, such as `widgets[2].id`.
package struct BodyReader {
    private let bytes: ByteView
    private let frame: FrameType
    /// The highest whole number that is accepted.
    private let numberLimit: UInt64

    /// Makes a reader of a body; errors name the frame's type. A stored body comes from a store or
    /// a recording, which may be older than the limit of numbers.
    package init(_ bytes: ByteView, of frame: FrameType, isStored: Bool = false) {
        self.bytes = bytes
        self.frame = frame
        numberLimit = isStored ? .max : RouterLimits.numberLimit
    }

    /// Calls `body` with each member's name and a reader at its value.
    ///
    /// `body` must either consume the value and return true, or return false, to have it skipped.
    package func members(
        _ body: (JSONText, inout JSONReader) throws(ProtocolError) -> Bool
    ) throws(ProtocolError) {
        var reader = JSONReader(bytes)
        reader.enterObject()
        while let name = reader.nextKey() {
            if try !body(name, &reader) { reader.skipValue() }
        }
    }

    /// Reads a string; throws `body-invalid` for any other value, as do the methods below.
    package func string(
        _ reader: inout JSONReader,
        at path: String
    ) throws(ProtocolError) -> JSONText {
        guard reader.peek() == .string else {
            throw wrong(path, expected: "a string", found: reader.peek())
        }
        return reader.readString()
    }

    /// Reads a boolean.
    package func boolean(
        _ reader: inout JSONReader,
        at path: String
    ) throws(ProtocolError) -> Bool {
        let kind = reader.peek()
        guard kind == .true || kind == .false else {
            throw wrong(path, expected: "true or false", found: kind)
        }
        return reader.readBoolean()
    }

    /// Reads a date in ms since 1970: a whole number from 0 to `RouterLimits.numberLimit`.
    package func date(
        _ reader: inout JSONReader,
        at path: String
    ) throws(ProtocolError) -> WallTime {
        let kind = reader.peek()
        guard kind == .number, let value = reader.readInteger(), value >= 0,
            UInt64(value) <= numberLimit
        else {
            throw wrong(
                path,
                expected: "a whole number of milliseconds since 1970, at most \(numberLimit)",
                found: kind
            )
        }
        return WallTime(rawValue: value)
    }

    /// Reads a whole number from 0 to `RouterLimits.numberLimit`.
    package func unsigned(
        _ reader: inout JSONReader,
        at path: String
    ) throws(ProtocolError) -> UInt64 {
        let kind = reader.peek()
        guard kind == .number, let value = reader.readUnsigned(), value <= numberLimit else {
            throw wrong(path, expected: "a whole number from 0 to \(numberLimit)", found: kind)
        }
        return value
    }

    /// Returns the bytes of an array, to be read later.
    package func array(
        _ reader: inout JSONReader,
        at path: String
    ) throws(ProtocolError) -> ByteView {
        guard reader.peek() == .array else {
            throw wrong(path, expected: "an array", found: reader.peek())
        }
        return reader.rawValue()
    }

    /// Returns the bytes of an object, to be read later.
    package func object(
        _ reader: inout JSONReader,
        at path: String
    ) throws(ProtocolError) -> ByteView {
        guard reader.peek() == .object else {
            throw wrong(path, expected: "an object", found: reader.peek())
        }
        return reader.rawValue()
    }

    /// Returns the value of a member that must be present; throws `body-invalid` if it is nil.
    package func required<Value>(_ value: Value?, at path: String) throws(ProtocolError) -> Value {
        guard let value else {
            throw ProtocolError(.bodyInvalid, message: "\(frame.name) has no member \(path)")
        }
        return value
    }

    /// The `body-invalid` error for a value of the wrong type.
    package func wrong(_ path: String, expected: String, found: JSONKind) -> ProtocolError {
        ProtocolError(
            .bodyInvalid,
            message: "\(path) of \(frame.name) must be \(expected), and is \(found)"
                + (found == .null ? "; a member without a value is left out" : "")
        )
    }
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
