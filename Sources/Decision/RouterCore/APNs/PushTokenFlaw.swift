internal import Basics

/// Why a text can be no push token: what it looks like, for the sentence of a refusal. The text
/// itself is a secret and is not quoted.
///
/// APNs takes a token as part of a path, in hexadecimal digits. iOS gives it to the app as `Data`,
/// and what is sent instead are the usual ways to make a text of that.
enum PushTokenFlaw {
    /// The end of a sentence that begins with the member's path; nil if the text can be a token.
    static func sentence(_ token: ByteView) -> String? {
        if token.count == 0 { return "is empty; leave it out if there is no token" }
        if StoredToken.isUsable(token) {
            return isTextInDigits(token)
                ? "looks like the digits of a text of digits: the token was encoded twice" : nil
        }
        return "must be an even number of hexadecimal digits, and \(look(token)); send the bytes "
            + "of the token as hexadecimal digits"
    }

    private static func look(_ token: ByteView) -> String {
        let text = token.string
        if text.hasPrefix("{length") { return "looks like the description of Data since iOS 13" }
        if text.hasPrefix("<") { return "looks like the description <abcd …> of NSData" }
        let digits = text.filter { !" :-".contains($0) }
        if isDigits(digits) {
            if digits.utf8.count < text.utf8.count { return "has separators between its digits" }
            return "has \(digits.utf8.count) digits"
        }
        if text.hasPrefix("0x"), isDigits(text.dropFirst(2)) { return "begins with 0x" }
        if text.utf8.count >= 20, text.utf8.allSatisfy(isOfBase64) { return "looks like base64" }
        return "has other characters"
    }

    private static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.properties.isASCIIHexDigit }
    }

    private static func isOfBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "+/-_=".utf8.contains(byte)
        }
    }

    /// Whether all bytes that the digits stand for are digits themselves: of 32 bytes, a token that
    /// is one by accident is not to be expected.
    private static func isTextInDigits(_ token: ByteView) -> Bool {
        if token.count < 64 { return false }
        return stride(from: 0, to: token.count, by: 2).allSatisfy { index in
            let (high, low) = (token[index], token[index + 1] | 0x20)
            switch high {
            case UInt8(ascii: "3"): return low < UInt8(ascii: ":")
            case UInt8(ascii: "4"), UInt8(ascii: "6"):
                return (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(low)
            default: return false
            }
        }
    }
}
