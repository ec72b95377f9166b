package import Basics
internal import Credentials
internal import Cryptography

/// The secret that admin clients send.
package struct AdminToken: Equatable, Sendable {
    /// The shortest length in bytes; shorter tokens could be guessed.
    package static var shortest: Int { 16 }
    /// The longest length in bytes; a longer token might not fit into a header.
    package static var longest: Int { 1_024 }
    /// The number of random bytes of a new token.
    package static var randomByteCount: Int { 32 }

    /// The token.
    let secret: Secret

    /// Takes the token from the first line of a file; other lines are ignored.
    ///
    /// - Throws: `AdminTokenError`, whose text completes a sentence about the file.
    package init(file: [UInt8]) throws(AdminTokenError) {
        var count = file.firstIndex(of: 0x0a) ?? file.count
        while count > 0, file[count - 1] == 0x0d || file[count - 1] == 0x20 { count -= 1 }
        if count < Self.shortest || count > Self.longest {
            throw AdminTokenError(
                description: "its first line has \(count) bytes; a token must have "
                    + "\(Self.shortest) to \(Self.longest)"
            )
        }
        if let position = file[..<count].firstIndex(where: { !(0x21...0x7e).contains($0) }) {
            throw AdminTokenError(
                description:
                    "byte \(position) of its first line is not visible ASCII; a token must "
                    + "be made of that alone"
            )
        }
        secret = file.withByteView { Secret($0.slice(0, to: count)) }
    }

    /// A new token of `randomByteCount` random bytes.
    package init(random: [UInt8]) {
        assert(random.count >= Self.shortest, "\(random.count) bytes could be guessed")
        secret = Secret(encodeBase64URL(random))
    }

    /// Value of the `Authorization` header that a client sends.
    package var authorization: String { "Bearer \(text)" }

    /// The token as text.
    package var text: String { secret.text }

    /// The bytes of a file with this token.
    package var file: [UInt8] { secret.withByteView { $0.array } + [0x0a] }

    /// The hash by which it is recognised.
    package var digest: SHA256Digest { secret.withByteView { SHA256.digest($0) } }
}

/// Why a file contains no valid token.
package struct AdminTokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, as the end of a sentence: it follows the file's name and a colon.
    package let description: String
}
