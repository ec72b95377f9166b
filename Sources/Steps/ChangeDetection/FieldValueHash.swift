internal import Basics

/// A seeded 64-bit hash of JSON values; equal values have the same hash, however they are written.
///
/// Strings are equal if their decoded bytes are, and numbers if their exact decimal values are, as
/// for 30, 30.0 and 3e1. Arrays are equal if their elements are, and objects if their members are,
/// both in order: `{"a":1,"b":2}` is not `{"b":2,"a":1}`. Two different values have the same hash
/// with a probability of about 2^-64, whatever is sent, because the seed is not known outside. The
/// strict scanner has accepted the text, so no container is nested deeper than its limit.
///
/// The hash decides whether a push changes what a widget observes, and is stored with the widget.
/// Therefore it must never change, and no hash table is built with it.
struct FieldValueHash: ~Copyable {
    private let tokens: TokenHash
    /// Buffer for decoded strings.
    private var decoded: [UInt8] = []

    init(seed: DecisionSeed) { tokens = TokenHash(seed: seed.rawValue) }

    /// The hash of a value, given as JSON text.
    mutating func callAsFunction(_ text: ByteView) -> UInt64 {
        var reader = JSONReader(text)
        return hash(&reader)
    }

    /// Consumes the value at the reader's position, and returns its hash.
    ///
    /// The hash of a container is folded from that of its type and those of its elements, keys and
    /// values. A container inside counts as one element, so two different values differ in an
    /// element or in the number of elements.
    private mutating func hash(_ reader: inout JSONReader) -> UInt64 {
        switch reader.peek() {
        case .string: return string(reader.readString())
        case .number: return number(reader.readNumber())
        case .object:
            var state = tokens.mark(.object)
            reader.enterObject()
            while let key = reader.nextKey() {
                state = TokenHash.fold(state, with: string(key))
                state = TokenHash.fold(state, with: hash(&reader))
            }
            return state
        case .array:
            var state = tokens.mark(.array)
            reader.enterArray()
            while reader.nextElement() { state = TokenHash.fold(state, with: hash(&reader)) }
            return state
        case .true: return literal(.true, from: &reader)
        case .false: return literal(.false, from: &reader)
        case .null: return literal(.null, from: &reader)
        }
    }

    /// Consumes true, false or null, and returns the hash of that token.
    private func literal(_ tag: TokenHash.Tag, from reader: inout JSONReader) -> UInt64 {
        reader.skipValue()
        return tokens.mark(tag)
    }

    /// The hash of a string, made of its decoded bytes.
    private mutating func string(_ text: JSONText) -> UInt64 {
        if !text.hasEscapes { return tokens.bytes(.string, of: text.raw) }
        decoded.removeAll(keepingCapacity: true)
        text.decoded(into: &decoded)
        let tokens = tokens
        return decoded.withByteView { tokens.bytes(.string, of: $0) }
    }

    /// The hash of a number, made of its canonical form.
    private func number(_ text: ByteView) -> UInt64 {
        let tokens = tokens
        return unsafe withUnsafeTemporaryAllocation(byteCount: text.count + 16, alignment: 8) {
            let base = $0.baseAddress!
            let count = unsafe CanonicalNumber.write(text, into: base)
            return tokens.bytes(.number, of: unsafe ByteView(base: base, count: count))
        }
    }
}

/// Hashes of the tokens of which a JSON value consists.
private struct TokenHash: BitwiseCopyable {
    /// The kinds of tokens.
    enum Tag: UInt64 {
        case string = 1
        case number
        case `true`
        case `false`
        case null
        case object
        case array
    }

    let seed: UInt64

    /// The hash of a token with content, such as a string.
    @inline(__always)
    func bytes(_ tag: Tag, of bytes: ByteView) -> UInt64 {
        stableHash(bytes, seed: seed &+ tag.rawValue &* 0x9e37_79b9_7f4a_7c15)
    }

    /// The hash of a token that is fully described by its kind.
    @inline(__always)
    func mark(_ tag: Tag) -> UInt64 {
        foldedProduct(
            seed ^ 0xa076_1d64_78bd_642f,
            by: foldedProduct(
                seed ^ 0xe703_7ed1_a0b4_28db,
                by: tag.rawValue &* 0x9e37_79b9_7f4a_7c15
            )
        )
    }

    /// Folds the hash of the next token into a running hash.
    @inline(__always)
    static func fold(_ state: UInt64, with token: UInt64) -> UInt64 {
        foldedProduct(state ^ 0xe703_7ed1_a0b4_28db, by: token ^ 0x8ebc_6af0_9c88_c6e3)
    }
}
