package import Basics

/// An entry of a list that operators read.
package protocol ListedEntry: Sendable {
    /// The member of the answer that is the list.
    static var list: String { get }
    /// Writes its members into an open object.
    func writeMembers(to json: inout JSONWriter)
}

/// A list, or a page of one.
package struct ListBody<Entry: ListedEntry>: AdminBody {
    let entries: [Entry]
    /// The `after` of the next page; null if this is the last one, and nil for a whole list.
    private let next: JSONValue?

    /// Makes a whole list.
    package init(_ entries: [Entry]) {
        self.entries = entries
        next = nil
    }

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - entries: in the order of the list.
    ///   - next: the name after which the next page begins; nil if this is the last page.
    package init(_ entries: [Entry], next: String?) {
        self.entries = entries
        self.next = next.map { .string($0) } ?? .null
    }

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - entries: in the order of the list.
    ///   - next: the number after which the next page begins; nil if this is the last page.
    package init(_ entries: [Entry], next: UInt64?) {
        self.entries = entries
        self.next = next.map { .number("\($0)") } ?? .null
    }

    /// Whether another page follows.
    var hasNext: Bool { next != nil && next != .null }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.objects(Entry.list, of: entries) { entry, json in entry.writeMembers(to: &json) }
            if let next { json.member("next", value: next) }
        }
    }
}
