package import Basics

/// An answer to one push: of APNs, or of whatever else listens where it should be.
package struct APNsAnswer: Equatable, Sendable {
    /// The status; 200 if the push was accepted.
    package let status: Int
    /// Why it was refused; nil if it was not, or for a reason that is not known.
    package let reason: APNsReason?
    /// Since when the token is dead, by Apple's clock.
    package let timestamp: WallTime?
    /// The reason as a message quotes it; empty if there is none.
    package let text: String
    /// Whether the answer has the form that Apple documents. Otherwise it is not Apple's word, and
    /// nothing is concluded from it.
    package let isApples: Bool
    private let hasID: Bool
    private let contentType: String?
    /// How a strange body begins.
    private let start: String

    /// Reads an answer, or the beginning of a long one. Each answer of APNs has an `apns-id`; one
    /// that accepts a push has no body, and any other one is a JSON object with a reason. A proxy,
    /// or another server at a wrong address, answers with pages of its own; `contentType` is for
    /// people. Source: Apple, "Handling notification responses from APNs".
    package init(status: Int, hasID: Bool, contentType: String? = nil, body: ByteView) {
        self.status = status
        self.hasID = hasID
        self.contentType = contentType
        if body.count == 0 {
            // As nearly all answers are, for which nothing is made.
            (reason, timestamp, text, start) = (nil, nil, "", "")
            isApples = hasID && status == 200
            return
        }
        var text = ""
        var timestamp: WallTime?
        var scanner = JSONScanner(depthLimit: Self.jsonDepth)
        var reader = JSONReader(body)
        if (try? validateJSON(body, using: &scanner)) != nil, reader.peek() == .object {
            reader.enterObject()
            while let name = reader.nextKey()?.string {
                switch (name, reader.peek()) {
                case ("reason", .string): text = reader.readString().string
                case ("timestamp", .number):
                    timestamp = reader.readInteger().map { WallTime(rawValue: $0) }
                default: reader.skipValue()
                }
            }
        }
        self.text = quotation(text)
        self.timestamp = timestamp
        reason = APNsReason(rawValue: text)
        isApples =
            hasID && status != 200 && !text.isEmpty || reason != nil && reason?.status == status
        start = isApples ? "" : body.slice(0, to: min(body.count, Self.shownBytes)).string
    }

    /// The deepest nesting of a body.
    private static var jsonDepth: Int { 8 }

    /// What has come in place of an answer of APNs, as a message quotes it; nil for one of APNs.
    ///
    /// It has not what may be a secret: a server may repeat the path, which has the device's token,
    /// and the provider token.
    package var strangeness: String? {
        if isApples { return nil }
        var parts = ["status \(status)"]
        if !hasID { parts.append("no apns-id") }
        if let contentType { parts.append(quotation(contentType, limit: 40)) }
        let body = Self.hidingSecrets(start)
        parts.append(start.isEmpty ? "no body" : "a body that begins: \(body)")
        return quotation(parts.joined(separator: ", "), limit: Self.shownBytes)
    }

    /// The most bytes of a strange answer that a message quotes.
    private static var shownBytes: Int { 200 }
    /// The longest word that a message quotes: tokens are longer.
    private static var longestWord: Int { 19 }

    private static func hidingSecrets(_ text: String) -> String {
        let isOfWord = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber)
                || "-_+".contains(character)
        }
        var (shown, word) = ("", "")
        for character in text + " " {
            if isOfWord(character) {
                word.append(character)
                continue
            }
            shown += word.utf8.count > longestWord ? "…" : word
            shown.append(character)
            word = ""
        }
        return String(shown.dropLast())
    }
}
