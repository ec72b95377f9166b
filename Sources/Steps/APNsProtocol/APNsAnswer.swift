package import DataStructures
internal import ReloadModel
internal import StrictJSON
package import Times

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
    /// What has come, as a message quotes it, if the answer has not the form that Apple documents:
    /// then it is not Apple's word, and nothing is concluded from it. nil for an answer of APNs.
    package let strangeness: String?

    /// Reads an answer.
    ///
    /// Each answer of APNs has an `apns-id`; one that accepts a push has no body, and any other one
    /// is a JSON object with a reason. A proxy, or another server at a wrong address, answers with
    /// pages of its own.
    ///
    /// Source: Apple, "Handling notification responses from APNs".
    ///
    /// - Parameters:
    ///   - status: its status.
    ///   - hasID: whether it has the field `apns-id`.
    ///   - contentType: its field `content-type`, for people.
    ///   - body: its body, or the beginning of a long one.
    package init(status: Int, hasID: Bool, contentType: String? = nil, body: ByteView) {
        self.status = status
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
        let isApples =
            hasID && (status == 200 ? body.count == 0 : !text.isEmpty)
            || reason != nil && reason?.status == status
        strangeness =
            isApples
            ? nil : Self.describe(status, hasID: hasID, contentType: contentType, body: body)
    }

    /// The deepest nesting of a body.
    private static var jsonDepth: Int { 8 }

    /// What has come, in words, without what may be a secret: a server may repeat the path, which
    /// has the device's token, and the provider token.
    private static func describe(
        _ status: Int,
        hasID: Bool,
        contentType: String?,
        body: ByteView
    ) -> String {
        var parts = ["status \(status)"]
        if !hasID { parts.append("no apns-id") }
        if let contentType { parts.append(quotation(contentType, limit: 40)) }
        let start = body.slice(0, to: min(body.count, Self.shownBytes)).string
        parts.append(body.count == 0 ? "no body" : "a body that begins: \(hidingSecrets(start))")
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
