internal import DataStructures
internal import HTTPMessages
internal import ReloadModel

/// The app for which a publisher pushes, and the parameters with which it does.
package struct PublishTarget: Sendable {
    /// The app's id.
    package let app: String
    /// The query, decoded.
    let arguments: [(name: String, value: String)]

    /// The producer that is named; nil for none.
    var producer: String? { query("producer") }

    /// The names of the parameters that there are.
    private static var parameters: [String] { ["producer", "seq"] }

    /// Reads the query of a request.
    ///
    /// - Throws: 400 if the app or the producer is no identifier.
    init(_ app: String, head: RequestHead) throws(AdminProblem) {
        self.app = app
        var arguments: [(name: String, value: String)] = []
        head.visitArguments { name, value in
            arguments.append(
                (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            )
        }
        self.arguments = arguments
        try AdminProblem.checkIdentifier(app, as: "the app")
        if let producer { try AdminProblem.checkIdentifier(producer, as: "the parameter producer") }
    }

    /// The value of the first parameter of this name; nil if there is none.
    func query(_ name: String) -> String? {
        if arguments.isEmpty { return nil }
        return arguments.first { $0.name == name }?.value
    }

    /// Refuses unknown and repeated parameters: ignoring them would hide a misspelt name.
    var problem: AdminProblem? {
        for (index, name) in arguments.map(\.name).enumerated() {
            let isKnown = Self.parameters.contains(name)
            if isKnown && !arguments[..<index].contains(where: { $0.name == name }) { continue }
            let detail =
                isKnown
                ? "the parameter \(name) is repeated"
                : "there is no parameter \(quotation(name)) here; there are: "
                    + Self.parameters.joined(separator: ", ")
            return AdminProblem(400, code: "parameter-invalid", detail: detail)
        }
        return nil
    }
}
