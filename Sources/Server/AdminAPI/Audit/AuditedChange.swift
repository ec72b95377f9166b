package import StrictJSON

/// What a command has changed, for the audit log: two JSON values.
package struct AuditedChange: Equatable, Sendable {
    /// The state before; nil if there was none.
    package let before: [UInt8]?
    /// The state after; nil if there is none.
    package let after: [UInt8]?

    /// A change between two states, each written as the members of an object.
    package init(
        before: ((inout JSONWriter) -> Void)?,
        after: ((inout JSONWriter) -> Void)?
    ) {
        self.before = before.map { JSONWriter.object($0) }
        self.after = after.map { JSONWriter.object($0) }
    }
}
