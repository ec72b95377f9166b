/// What is asked for.
package struct HTTPRequest: Sendable {
    /// GET, HEAD or any other.
    package let method: String
    /// Decoded, and without the query.
    package let path: String
    private let arguments: [(name: String, value: String)]

    package init(method: String, path: String, arguments: [(name: String, value: String)] = []) {
        self.method = method
        self.path = path
        self.arguments = arguments
    }

    /// The first value of this name in the query, decoded; empty if it has none there.
    package func query(_ name: String) -> String? {
        arguments.first { $0.name == name }?.value
    }
}
