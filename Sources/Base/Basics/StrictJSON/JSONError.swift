/// The class of error that a document was refused for; callers map it to a code of the protocol.
@usableFromInline
package enum JSONErrorCode: Equatable, Sendable {
    case notUTF8
    case notJSON
    case notObject
    case tooDeep
    case duplicateKey
    /// A number too large for a double, or not zero but closer to zero than 1e-400.
    case numberRange
}

/// The exact reason that a document was refused for; `JSONError.sentence` words it.
@usableFromInline
package enum JSONErrorDetail: Equatable, Sendable {
    case unexpectedEnd
    case unexpectedByte(UInt8, expected: StaticExpectation)
    case byteOrderMark
    case trailingBytes
    case controlCharacter(UInt8)
    case badEscape
    case loneSurrogate
    case badUTF8
    case badNumber
    case badLiteral
    case notAnObject
    case depth(limit: Int)
    case duplicateKey
    case numberTooLarge
    case numberTooSmall
}

/// What the grammar allows at the offset of an unexpected byte; the raw value completes the
/// sentence.
@usableFromInline
package enum StaticExpectation: String, Equatable, Sendable {
    case value = "a value"
    case key = "a key in quotation marks"
    case keyOrEnd = "a key in quotation marks or }"
    case colon = "a colon"
    case commaOrBrace = "a comma or }"
    case commaOrBracket = "a comma or ]"
    case object = "an object"
}

/// Why and where `JSONScanner` refused a document.
@usableFromInline
package struct JSONError: Error, Equatable, Sendable {
    /// The class of the error.
    package let code: JSONErrorCode
    /// The offset of the offending byte or token; the document's length if it ends too early.
    package let offset: Int
    /// The exact reason, which `sentence` words.
    package let detail: JSONErrorDetail

    /// The error at a byte offset of the document.
    @usableFromInline package init(_ code: JSONErrorCode, at offset: Int, detail: JSONErrorDetail) {
        self.code = code
        self.offset = offset
        self.detail = detail
    }

    /// The offset and the reason, as one line for an error answer or a log.
    package var message: String { "byte \(offset): \(sentence)" }

    /// The reason alone, without the offset.
    package var sentence: String {
        switch detail {
        case .unexpectedEnd: "the document ends in the middle"
        case .unexpectedByte(let byte, let expected):
            "\(Self.name(of: byte)) stands where \(expected.rawValue) is expected"
        case .byteOrderMark: "a byte order mark (U+FEFF) stands here; JSON is written without one"
        case .trailingBytes: "something follows the end of the document"
        case .controlCharacter(let byte):
            "the control character \(byte) in a string must be written as an escape"
        case .badEscape: "the escape is not one of JSON's"
        case .loneSurrogate: "the escape is half of a surrogate pair"
        case .badUTF8: "the bytes are not UTF-8"
        case .badNumber: "the number does not follow JSON's grammar"
        case .badLiteral: "the word is not true, false or null"
        case .notAnObject: "the document must be an object"
        case .depth(let limit): "the nesting is deeper than \(limit) levels"
        case .duplicateKey: "the key occurs twice in the same object"
        case .numberTooLarge: "the number is larger than a double can be"
        case .numberTooSmall: "the number is closer to zero than 1e-400"
        }
    }

    /// A printable ASCII character in quotation marks, or the number of any other byte.
    private static func name(of byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7f
            ? "'\(Character(UnicodeScalar(byte)))'" : "the byte \(byte)"
    }
}
