internal import Basics
internal import HTTPMessages
internal import HTTPServing

/// What a request says besides its path and its body.
protocol RequestFields {
    /// The value of the query's first argument of this name, decoded and possibly empty; nil if
    /// there is none.
    func query(_ name: String) -> String?
    /// The value of the first header of this name, whose case is ignored.
    func header(_ name: String) -> String?
    /// The values of all headers of this name, in their order: parts of one list (RFC 9110, section
    /// 5.3).
    func headers(_ name: String) -> [String]
    /// The names of the headers that begin with a prefix, which is in lower case.
    func headerNames(beginning prefix: StaticString) -> [String]
    /// The media type of its body without parameters, in lower case; nil if it names none.
    var mediaType: String? { get }
}

extension HTTPRequest: RequestFields {
    var mediaType: String? {
        header("Content-Type").flatMap { Array($0.utf8).withByteView { MediaType.name(in: $0) } }
    }

    /// Whether the client has sent something to prove itself by, whatever that is.
    var hasAuthorization: Bool { secretHeader("Authorization") != nil }

    /// The token after `Bearer`; nil if it is not there.
    var bearerToken: Secret? {
        secretHeader("Authorization")?.withByteView { $0.bearerToken.map { Secret($0) } }
    }
}

extension ByteView {
    /// The token of a header `Authorization`, after `Bearer`, a word that may be in any case, and
    /// one blank or more (RFC 9110, section 11.4); nil if it is not there.
    var bearerToken: ByteView? {
        let scheme: StaticString = "bearer "
        if count <= scheme.utf8CodeUnitCount { return nil }
        for offset in 0..<scheme.utf8CodeUnitCount
        where unsafe self[offset] | 0x20 != scheme.utf8Start[offset] {
            return nil
        }
        var start = scheme.utf8CodeUnitCount
        while has(start), self[start] == 0x20 { start += 1 }
        return has(start) ? slice(start, to: count) : nil
    }
}

/// Media types in the header `Content-Type`.
enum MediaType {
    private static let json = Array("application/json".utf8)

    /// The media type that a header names, without its parameters, in lower case; nil for none.
    static func name(in header: ByteView) -> String? {
        // Nearly all are this, and nothing is to be allocated for these.
        if json.withByteView({ header == $0 }) { return "application/json" }
        let type = header.string.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        return type.isEmpty ? nil : type.lowercased()
    }
}

/// The request of a publisher, whose path and query were looked at already.
struct PublisherFields: RequestFields {
    /// Its head.
    let head: RequestHead
    /// What it asks for.
    let target: PublishTarget

    func query(_ name: String) -> String? { target.query(name) }
    func header(_ name: String) -> String? { head.header(named: name)?.string }
    func headers(_ name: String) -> [String] { head.headers(named: name) }
    func headerNames(beginning prefix: StaticString) -> [String] {
        head.headerNames(beginning: prefix)
    }
    var mediaType: String? { target.mediaType }
}
