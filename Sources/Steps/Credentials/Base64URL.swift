internal import Basics

/// Decodes base64url without padding (RFC 4648 section 5, as RFC 7515 uses it); nil if a character
/// is none of the alphabet, or the text is not the one that `encodeBase64URL` makes of the bytes.
package func decodeBase64URL(_ text: some Collection<UInt8>) -> [UInt8]? {
    Array(text).withByteView { text in
        Secret(base64URL: text)?.withByteView { $0.array }
    }
}

/// Encodes bytes in base64url without padding.
package func encodeBase64URL(_ bytes: some Sequence<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        count += 8
        while count >= 6 {
            count -= 6
            text.append(alphabet[Int(bits >> count & 63)])
        }
        bits &= 1 << count - 1
    }
    if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
    return String(decoding: text, as: UTF8.self)
}
