import Basics

/// A second opinion on strict JSON, written to be seen to be right and not to be fast.
///
/// By recursive descent, one byte at a time, over an array. Shares no code with the scanner. Its
/// refusals have the scanner's codes; offsets are the scanner's except within `notJSON`, where the
/// fault may be pointed at in more than one good way.
struct ReferenceValidator {
    struct Refusal: Error {
        let code: JSONErrorCode
        let offset: Int
    }

    private let bytes: [UInt8]
    private let depthLimit: Int
    private var at = 0
    private var events: [Event] = []

    private init(_ bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    static func outcome(_ bytes: [UInt8], depthLimit: Int = 32) -> Outcome {
        var validator = ReferenceValidator(bytes, depthLimit: depthLimit)
        do throws(Refusal) {
            try validator.document()
            return .accepted(validator.events)
        } catch {
            return .refused(error.code, error.offset)
        }
    }

    private mutating func document() throws(Refusal) {
        space()
        let start = at
        try value(depth: 1)
        space()
        if at < bytes.count { throw misplaced() }
        if bytes[start] != UInt8(ascii: "{") { throw Refusal(code: .notObject, offset: start) }
    }

    private var current: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func space() {
        while let byte = current, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { at += 1 }
    }

    /// The refusal of a byte that no token begins with: it may be no UTF-8 either.
    private func misplaced() -> Refusal {
        let isText = at >= bytes.count || scalarLength() != nil
        return Refusal(code: isText ? .notJSON : .notUTF8, offset: at)
    }

    private mutating func expect(_ byte: UInt8) throws(Refusal) {
        space()
        guard current == byte else { throw misplaced() }
        at += 1
    }

    private mutating func value(depth: Int) throws(Refusal) {
        space()
        switch current {
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "\""): events.append(.string(try string()))
        case let byte? where Array("-0123456789".utf8).contains(byte): try number()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: throw misplaced()
        }
    }

    private mutating func object(depth: Int) throws(Refusal) {
        if depth > depthLimit { throw Refusal(code: .tooDeep, offset: at) }
        events.append(.beginObject)
        at += 1
        space()
        var keys: [[UInt8]] = []
        while current != UInt8(ascii: "}") || !keys.isEmpty {
            space()
            guard current == UInt8(ascii: "\"") else { throw misplaced() }
            let start = at
            let key = try string()
            if keys.contains(key) { throw Refusal(code: .duplicateKey, offset: start) }
            keys.append(key)
            events.append(.key(key))
            try expect(UInt8(ascii: ":"))
            try value(depth: depth + 1)
            space()
            if current == UInt8(ascii: "}") { break }
            try expect(UInt8(ascii: ","))
        }
        at += 1
        events.append(.endObject)
    }

    private mutating func array(depth: Int) throws(Refusal) {
        if depth > depthLimit { throw Refusal(code: .tooDeep, offset: at) }
        events.append(.beginArray)
        at += 1
        space()
        if current != UInt8(ascii: "]") {
            while true {
                try value(depth: depth + 1)
                space()
                if current == UInt8(ascii: "]") { break }
                try expect(UInt8(ascii: ","))
            }
        }
        at += 1
        events.append(.endArray)
    }

    private mutating func word(_ word: String) throws(Refusal) {
        guard bytes[at...].starts(with: word.utf8) else {
            throw Refusal(code: .notJSON, offset: at)
        }
        at += word.utf8.count
        events.append(.literal(word))
    }

    // MARK: - Numbers

    private mutating func number() throws(Refusal) {
        let start = at
        if current == UInt8(ascii: "-") { at += 1 }
        let integer = digits()
        let hasLeadingZero = integer.count > 1 && integer.first == UInt8(ascii: "0")
        var isWellFormed = !integer.isEmpty && !hasLeadingZero
        if isWellFormed && current == UInt8(ascii: ".") {
            at += 1
            isWellFormed = !digits().isEmpty
        }
        if isWellFormed, let byte = current, byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
        {
            at += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { at += 1 }
            isWellFormed = !digits().isEmpty
        }
        if !isWellFormed { throw Refusal(code: .notJSON, offset: start) }
        let text = Array(bytes[start..<at])
        if !SlowDecimal(text).isInRange { throw Refusal(code: .numberRange, offset: start) }
        events.append(.number(text))
    }

    private mutating func digits() -> [UInt8] {
        let start = at
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        return Array(bytes[start..<at])
    }

    // MARK: - Strings

    /// Reads a string with its quotes and returns what it says.
    private mutating func string() throws(Refusal) -> [UInt8] {
        at += 1
        var text: [UInt8] = []
        while true {
            guard let byte = current else { throw misplaced() }
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                text += try escape()
            } else if byte < 0x20 {
                throw Refusal(code: .notJSON, offset: at)
            } else if let length = scalarLength() {
                text += bytes[at..<at + length]
                at += length
            } else {
                throw Refusal(code: .notUTF8, offset: at)
            }
        }
        at += 1
        return text
    }

    private mutating func escape() throws(Refusal) -> [UInt8] {
        let start = at
        let refusal = Refusal(code: .notJSON, offset: start)
        let simple: [UInt8: UInt8] = [
            0x22: 0x22, 0x5c: 0x5c, 0x2f: 0x2f, 0x62: 0x08, 0x66: 0x0c, 0x6e: 0x0a, 0x72: 0x0d,
            0x74: 0x09,
        ]
        guard at + 1 < bytes.count else { throw refusal }
        if let meaning = simple[bytes[at + 1]] {
            at += 2
            return [meaning]
        }
        guard let first = unit() else { throw refusal }
        if let scalar = Unicode.Scalar(first) { return Array(String(Character(scalar)).utf8) }
        guard (0xd800...0xdbff).contains(first), let second = unit(),
            (0xdc00...0xdfff).contains(second)
        else { throw refusal }
        let text = String(decoding: [UInt16(first), UInt16(second)], as: UTF16.self)
        return Array(text.utf8)
    }

    /// The number in a `\uXXXX` that stands here.
    private mutating func unit() -> UInt32? {
        guard at + 6 <= bytes.count, bytes[at] == UInt8(ascii: "\\"),
            bytes[at + 1] == UInt8(ascii: "u")
        else { return nil }
        let text = String(decoding: bytes[at + 2..<at + 6], as: UTF8.self)
        // Int(_:radix:) takes a sign, JSON does not.
        guard text.allSatisfy(\.isHexDigit), text.utf8.count == 4 else { return nil }
        at += 6
        return UInt32(text, radix: 16)
    }

    /// The length of the character that stands here, if it is one of UTF-8's.
    private func scalarLength() -> Int? {
        for length in 1...4 where at + length <= bytes.count {
            if String(validating: bytes[at..<at + length], as: UTF8.self)?.unicodeScalars.count == 1
            {
                return length
            }
        }
        return nil
    }
}
