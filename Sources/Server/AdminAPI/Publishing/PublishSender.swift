internal import Basics
internal import Credentials
internal import Cryptography

/// Who sends pushes over HTTP without a producer: what its requests belong to.
///
///     credential     of all producers ─► keys of its own, the app's own producer
///                    limited to some  ─► keys of its own, an own producer of its own
///                    none (open role) ─► keys and own producer of all strangers
///
/// So no sender takes the key of another's request, nor waits for the pushes of one that may do
/// less.
package struct PublishSender: Hashable, Sendable {
    /// What the keys of its requests belong to: the credential's id and, of a signed token that
    /// names fewer producers than its key may, these. Empty in an open role.
    let credential: [String]
    /// What the router calls this sender in the names of its own producer: the beginning of the
    /// credential's id, and a digest; nil if it may speak for all producers, or is an operator.
    package let name: String?

    /// All who may speak for all producers: in an open role, or as operators.
    package static var anyone: PublishSender { PublishSender(credential: [], name: nil) }

    /// The most of the router's own producers for the requests of a sender without a producer.
    package static var lanes: Int { 16 }

    /// The router's own producer of a sender by its name (nil for all who may speak for all
    /// producers), for a lane from 0.
    package static func producer(of name: String?, lane: Int) -> String {
        let own = "http" + (name.map { " \($0)" } ?? "")
        return lane == 0 ? "(\(own))" : "(\(own) \(lane + 1))"
    }

    /// Whether a producer in parentheses is one of this sender's.
    func owns(_ producer: String) -> Bool {
        (0..<Self.lanes).contains { Self.producer(of: name, lane: $0) == producer }
    }

    /// The most bytes of a credential's id in a name.
    private static var idBytes: Int { 64 }

    private init(credential: [String], name: String?) {
        self.credential = credential
        self.name = name
    }

    /// The sender that a credential has let in, for some names; nil for an open role.
    init(_ credential: Credential?, names: NamePatterns) {
        guard let credential else {
            self = .anyone
            return
        }
        let parts = [credential.id] + (names == credential.names ? [] : names.texts)
        let name = "\(Self.beginning(of: credential.id)) \(Self.digest(of: parts))"
        self.init(credential: parts, name: names.isAll ? nil : name)
    }

    private static func beginning(of id: String) -> String {
        var text = String.UnicodeScalarView()
        var count = 0
        for scalar in id.unicodeScalars {
            count += UTF8.width(scalar)
            if count > idBytes { break }
            text.append(scalar)
        }
        return String(text)
    }

    /// 64 bits as hexadecimal digits.
    private static func digest(of parts: [String]) -> String {
        var bytes: [UInt8] = []
        for part in parts { bytes.append(part: Array(part.utf8)) }
        let digits = String(bytes.withByteView { SHA256.digest($0) }.word(0), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
