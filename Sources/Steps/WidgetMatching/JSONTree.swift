package import ByteStorage
package import StrictJSON

/// A JSON value as a tree, for what is looked at closely rather than fast.
package indirect enum JSONTree: Sendable {
    case string(String)
    /// The number as it was written.
    case number(String)
    case boolean(Bool)
    case null
    case list([JSONTree])
    case object([Member])

    /// A member of an object.
    package struct Member: Sendable {
        package let name: String
        package let value: JSONTree

        package init(name: String, value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    /// Reads one JSON object.
    ///
    /// - Throws: what is wrong, and where.
    package init(parsing bytes: ByteView, depthLimit: Int = 32) throws(JSONError) {
        var scanner = JSONScanner(depthLimit: depthLimit)
        var builder = JSONTreeBuilder()
        try scanner.scan(bytes, into: &builder)
        self = builder.tree
    }

    // MARK: - Parts

    /// The members of an object; none of anything else.
    package var members: [Member] {
        if case .object(let members) = self { return members }
        return []
    }

    /// The value of an object's member; names are compared by bytes.
    package func member(_ name: String) -> JSONTree? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// A list's elements, or the one value.
    var elements: [JSONTree] {
        if case .list(let elements) = self { return elements }
        return [self]
    }

    /// What a field's tests look at: the value itself, or a list's elements but not theirs.
    var scalars: [JSONTree] { elements.filter(\.isScalar) }

    var isObject: Bool {
        if case .object = self { return true }
        return false
    }

    private var isScalar: Bool {
        switch self {
        case .list, .object: false
        case .string, .number, .boolean, .null: true
        }
    }

    // MARK: - Equality

    /// Whether two values are the same scalar: strings by bytes, numbers by exact value.
    func isSame(as other: JSONTree) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.number(let left), .number(let right)):
            Self.canonical(left) == Self.canonical(right)
        case (.boolean(let left), .boolean(let right)): left == right
        case (.null, .null): true
        default: false
        }
    }

    /// The one form of a number's value.
    static func canonical(_ number: String) -> [UInt8] {
        number.withByteView { text in
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: text.count + 16,
                alignment: 8
            )
            defer { unsafe memory.deallocate() }
            let count = unsafe CanonicalNumber.write(text, into: memory)
            return unsafe ByteView(base: memory, count: count).array
        }
    }

    // MARK: - Text

    /// The value as JSON.
    package var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .string(let text): writer.string(text)
        case .number(let text): text.withByteView { writer.raw($0) }
        case .boolean(let value): writer.boolean(value)
        case .null: writer.null()
        case .list(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.name)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
