/// Wildcards, by recursion over the text.
struct ModelGlob {
    private enum Token {
        case byte(UInt8)
        case anything
    }

    private var tokens: [Token] = []

    /// Nil if the text is no wildcard.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                if case .anything? = tokens.last { return nil }
                tokens.append(.anything)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), escaped == 0x2a || escaped == 0x5c else {
                    return nil
                }
                tokens.append(.byte(escaped))
            default: tokens.append(.byte(byte))
            }
        }
    }

    func matches(_ text: String) -> Bool {
        Self.matches(tokens[...], Array(text.utf8)[...])
    }

    private static func matches(_ tokens: ArraySlice<Token>, _ text: ArraySlice<UInt8>) -> Bool {
        guard let first = tokens.first else { return text.isEmpty }
        switch first {
        case .byte(let byte):
            return text.first == byte && matches(tokens.dropFirst(), text.dropFirst())
        case .anything:
            return matches(tokens.dropFirst(), text)
                || !text.isEmpty && matches(tokens, text.dropFirst())
        }
    }
}
