internal import HTTPServing
internal import Synchronization

/// Checks the token of admin requests. It may be used on any thread, and the token may be replaced
/// while the server runs.
package final class Authorization: Sendable {
    private let token: Mutex<AdminToken?>

    /// - Parameter token: nil to admit every request, which is meant for loopback addresses.
    package init(_ token: AdminToken?) {
        self.token = Mutex(token)
    }

    /// Replaces the token; requests that follow need the new one.
    package func replace(with token: AdminToken) {
        self.token.withLock { $0 = token }
    }

    /// True if every request is admitted.
    var isOpen: Bool { token.withLock { $0 == nil } }

    /// True if a request has the token or needs none. `inQuery` also accepts it as a query
    /// parameter, if there is no `Authorization` header.
    func admits(_ request: HTTPRequest, inQuery: Bool) -> Bool {
        guard let token = token.withLock({ $0 }) else { return true }
        if let header = request.header("Authorization") {
            return Self.bearer(header).map { token.equals($0) } ?? false
        }
        return inQuery && request.query("token").map { token.equals($0) } ?? false
    }

    /// The text after `Bearer`, a word that may be in any case; nil if it is not there.
    private static func bearer(_ header: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

/// The secret that admin clients send.
package struct AdminToken: Equatable, Sendable {
    /// The shortest length in bytes; shorter tokens could be guessed.
    package static var shortest: Int { 16 }
    /// The longest length in bytes; a longer token might not fit into a header.
    package static var longest: Int { 1_024 }

    private let bytes: [UInt8]

    /// Takes the token from the first line of a file.
    ///
    /// - Parameter file: bytes of the file; other lines are ignored.
    /// - Throws: `AdminTokenError`, whose text completes a sentence about the file.
    package init(file: [UInt8]) throws(AdminTokenError) {
        var line = file.prefix { $0 != 0x0a }
        while let last = line.last, last == 0x0d || last == 0x20 { line.removeLast() }
        if line.count < Self.shortest || line.count > Self.longest {
            throw AdminTokenError(
                description: "its first line has \(line.count) bytes; a token must have "
                    + "\(Self.shortest) to \(Self.longest)"
            )
        }
        if let position = line.firstIndex(where: { !(0x21...0x7e).contains($0) }) {
            throw AdminTokenError(
                description:
                    "byte \(position) of its first line is not visible ASCII; a token must "
                    + "be made of that alone"
            )
        }
        bytes = Array(line)
    }

    /// Value of the `Authorization` header that a client sends.
    package var authorization: String { "Bearer \(String(decoding: bytes, as: UTF8.self))" }

    /// Whether the token is equal to a text. The time that it takes depends only on the text's
    /// length, so that timing reveals nothing.
    func equals(_ other: String) -> Bool {
        var difference: UInt8 = other.utf8.count == bytes.count ? 0 : 1
        var index = 0
        for byte in other.utf8 {
            difference |= byte ^ bytes[index]
            index = index + 1 == bytes.count ? 0 : index + 1
        }
        return difference == 0
    }
}

/// Why a file contains no valid token.
package struct AdminTokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, as the end of a sentence: it follows the file's name and a colon.
    package let description: String

    /// Makes an error from its text.
    package init(description: String) {
        self.description = description
    }
}
