package import Basics
internal import Credentials

/// What a command has changed, for the audit log: two JSON values.
package struct AuditedChange: Sendable {
    private let states: @Sendable () -> (before: [UInt8]?, after: [UInt8]?)

    /// The state before; nil if there was none.
    var before: [UInt8]? { states().before }
    /// The state after; nil if there is none.
    var after: [UInt8]? { states().after }

    /// A change between two states, each written as the members of an object.
    package init(before: ((inout JSONWriter) -> Void)?, after: ((inout JSONWriter) -> Void)?) {
        let states = (before.map { JSONWriter.object($0) }, after.map { JSONWriter.object($0) })
        self.states = { states }
    }

    /// A change whose states take long to write: they are written on the log's thread.
    package init(
        lateBefore before: @escaping @Sendable (inout JSONWriter) -> Void,
        after: @escaping @Sendable (inout JSONWriter) -> Void
    ) {
        states = { (JSONWriter.object(before), JSONWriter.object(after)) }
    }

    /// What differs in a list of operators: those that another list does not have like this.
    package static func operators(_ former: [Operator], present: [Operator]) -> AuditedChange {
        AuditedChange(
            before: { $0.list(former, unlike: present) },
            after: { $0.list(present, unlike: former) }
        )
    }
}

extension JSONWriter {
    fileprivate mutating func list(_ operators: [Operator], unlike others: [Operator]) {
        let known = Set(others.map(\.audited))
        let own = operators.map(\.audited).filter { !known.contains($0) }.sorted()
        list("operators", of: own)
    }
}

extension Operator {
    /// What the audit log says of a listed operator. The hash of a token is no secret: the token is
    /// random.
    fileprivate var audited: String {
        let scope = apps.map { " of \($0.sorted().joined(separator: " "))" } ?? ""
        let end = scope + (notAfter.map { " until \($0.rfc3339)" } ?? "")
        switch proof {
        case .token(let digest):
            return "\(name) \(role.rawValue) sha256:\(digest.hexadecimal.prefix(16))\(end)"
        case .certificate(.dns(let name)): return "\(self.name) \(role.rawValue) dns:\(name)\(end)"
        case .certificate(.uri(let name)): return "\(self.name) \(role.rawValue) uri:\(name)\(end)"
        }
    }
}
