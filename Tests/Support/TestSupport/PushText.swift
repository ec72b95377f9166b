internal import Basics

/// A push as tests write it: its payload, and in front of it the kinds to which it is narrowed, as
/// in `@board,news {"event":"x"}`. `@ {}` is narrowed to no kind, and `{}` to none in particular.
package struct PushText {
    /// The kinds; nil if the push is not narrowed.
    package let kinds: [String]?
    /// The payload.
    package let payload: String

    /// Reads the text of a push.
    package init(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "@"), let start = text.firstIndex(of: "{") else {
            kinds = nil
            payload = text
            return
        }
        let names = text[..<start].dropFirst().dropLast()
        kinds = names.split(separator: ",").map(String.init)
        payload = String(text[start...])
    }

    /// The names of the kinds as they precede the payload, without the length of all; nil if the
    /// push is not narrowed.
    package var names: [UInt8]? { kinds.flatMap { KindNames.encode($0) } }
}
