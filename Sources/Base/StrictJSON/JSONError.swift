/// What kind of thing is wrong with a document.
@usableFromInline
package enum JSONErrorCode: Equatable, Sendable {
    case notUTF8
    case notJSON
    case notObject
    case tooDeep
    case duplicateKey
    case numberRange
}

/// What exactly is wrong with a document.
@usableFromInline
package enum JSONErrorDetail: Equatable, Sendable {
    case unexpectedEnd
    case unexpectedByte(UInt8, expected: StaticExpectation)
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

/// What would have been right at a place.
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

/// Why a document was refused, and where.
@usableFromInline
package struct JSONError: Error, Equatable, Sendable {
    package let code: JSONErrorCode
    /// The byte of the document at which it was seen, from 0.
    package let offset: Int
    package let detail: JSONErrorDetail

    @usableFromInline package init(_ code: JSONErrorCode, at offset: Int, _ detail: JSONErrorDetail)
    {
        self.code = code
        self.offset = offset
        self.detail = detail
    }

    /// One sentence for people.
    package var message: String { "byte \(offset): \(sentence)" }

    /// The sentence without the place.
    package var sentence: String {
        switch detail {
        case .unexpectedEnd: "the document ends in the middle"
        case .unexpectedByte(let byte, let expected):
            "\(Self.name(of: byte)) stands where \(expected.rawValue) is expected"
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
        case .duplicateKey: "the key stands twice in the same object"
        case .numberTooLarge: "the number is larger than a double can be"
        case .numberTooSmall: "the number is closer to zero than 1e-400"
        }
    }

    private static func name(of byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7f
            ? "'\(Character(UnicodeScalar(byte)))'" : "the byte \(byte)"
    }
}
