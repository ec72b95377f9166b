package import DataStructures
internal import ReloadModel
internal import StrictJSON
package import Times

/// An answer of APNs to one push.
package struct APNsAnswer: Equatable, Sendable {
    /// The status; 200 if the push was accepted.
    package let status: Int
    /// Why it was refused; nil if it was not, or for a reason that is not known.
    package let reason: APNsReason?
    /// Since when the token is dead, by Apple's clock.
    package let timestamp: WallTime?
    /// The reason as a message quotes it; empty if there is none.
    package let text: String

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - status: its status.
    ///   - body: its body; what is no JSON object of the form that Apple documents says nothing.
    package init(status: Int, body: ByteView) {
        self.status = status
        if body.count == 0 {
            (reason, timestamp, text) = (nil, nil, "")
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
    }

    /// The deepest nesting of a body.
    private static var jsonDepth: Int { 8 }
}
