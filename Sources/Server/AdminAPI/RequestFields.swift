internal import DataStructures
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
}

extension HTTPRequest: RequestFields {}

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
}
