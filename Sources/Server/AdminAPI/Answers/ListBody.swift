package import Basics

/// A list, or a page of one.
package struct ListBody<Entry: AnswerObject>: AdminBody {
    /// The member of the answer that is the list.
    private let name: String
    let entries: [Entry]
    /// The `after` of the next page; null if this is the last one, and nil for a whole list.
    private let next: JSONValue?

    /// Makes a whole list.
    package init(_ name: String, of entries: [Entry]) {
        (self.name, self.entries, next) = (name, entries, nil)
    }

    /// Makes a page; `next` is the name after which the next one begins, and nil if this is the
    /// last.
    package init(_ name: String, of entries: [Entry], next: String?) {
        (self.name, self.entries) = (name, entries)
        self.next = next.map { .string($0) } ?? .null
    }

    /// Makes a page; `next` is the number after which the next one begins, and nil if this is the
    /// last.
    package init(_ name: String, of entries: [Entry], next: (some BinaryInteger)?) {
        (self.name, self.entries) = (name, entries)
        self.next = next.map { .number("\($0)") } ?? .null
    }

    /// Whether another page follows.
    var hasNext: Bool { next != nil && next != .null }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.list(name, of: entries)
            if let next { json.member("next", value: next) }
        }
    }
}
