internal import ByteStorage
internal import StrictJSON

/// Builds the tree of a document as it is scanned.
struct JSONTreeBuilder: JSONVisitor {
    /// An object or list that is open.
    private enum Container {
        case object([JSONTree.Member])
        case list([JSONTree])
    }

    /// The document, once it has been scanned.
    private(set) var tree = JSONTree.null
    private var containers: [Container] = []
    /// The names of the members whose values are being read.
    private var names: [String] = []

    mutating func key(_ key: ByteView) { names.append(key.string) }

    mutating func string(_ value: ByteView) { add(.string(value.string)) }

    mutating func number(_ text: ByteView) { add(.number(text.string)) }

    mutating func literal(_ literal: JSONLiteral) {
        switch literal {
        case .false: add(.boolean(false))
        case .true: add(.boolean(true))
        case .null: add(.null)
        }
    }

    mutating func beginObject() { containers.append(.object([])) }

    mutating func beginArray() { containers.append(.list([])) }

    mutating func endObject() { endContainer() }

    mutating func endArray() { endContainer() }

    private mutating func endContainer() {
        switch containers.removeLast() {
        case .object(let members): add(.object(members))
        case .list(let elements): add(.list(elements))
        }
    }

    private mutating func add(_ value: JSONTree) {
        switch containers.popLast() {
        case nil: tree = value
        case .list(var elements):
            elements.append(value)
            containers.append(.list(elements))
        case .object(var members):
            members.append(JSONTree.Member(name: names.removeLast(), value: value))
            containers.append(.object(members))
        }
    }
}
