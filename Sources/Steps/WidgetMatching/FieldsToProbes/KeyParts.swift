internal import Basics
internal import EventPatterns

/// Finds the parts of strings of which keys are made: prefixes, suffixes, and these with their case
/// folded.
struct KeyParts: ~Copyable {
    /// Memory for the folded part.
    private var folded = GrowingBuffer<UInt8>(capacity: 1_024)

    /// Bytes allocated, used or not.
    @inline(__always)
    var byteCount: Int { folded.byteCount }

    init() {}

    /// The part of a string that a key of the form is made of; the whole string if it is shorter.
    /// It is valid until the next call.
    mutating func part(of text: ByteView, form: KeyForm, length: Int) -> ByteView {
        switch form {
        case .folded: return folded.fold(text)
        case .prefix: return text.slice(0, to: min(length, text.count))
        case .suffix: return text.slice(text.count - min(length, text.count), to: text.count)
        case .foldedPrefix:
            let folded = folded.fold(CaseFolding.beginning(of: text, foldedTo: length))
            return folded.slice(0, to: min(length, folded.count))
        default:
            let folded = folded.fold(CaseFolding.end(of: text, foldedTo: length))
            return folded.slice(folded.count - min(length, folded.count), to: folded.count)
        }
    }
}
