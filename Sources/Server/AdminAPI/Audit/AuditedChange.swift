package import Basics

/// What a command has changed, for the audit log: two JSON values.
package struct AuditedChange: Sendable {
    private let states: @Sendable () -> (before: [UInt8]?, after: [UInt8]?)

    /// The state before; nil if there was none.
    var before: [UInt8]? { states().before }
    /// The state after; nil if there is none.
    var after: [UInt8]? { states().after }

    /// A change between two states, each written as the members of an object.
    package init(
        before: ((inout JSONWriter) -> Void)?,
        after: ((inout JSONWriter) -> Void)?
    ) {
        let states = (before.map { JSONWriter.object($0) }, after.map { JSONWriter.object($0) })
        self.states = { states }
    }

    /// A change whose states take long to write: they are written on the log's thread.
    ///
    /// - Parameters:
    ///   - before: writes the members of the state before.
    ///   - after: writes the members of the state after.
    package init(
        lateBefore before: @escaping @Sendable (inout JSONWriter) -> Void,
        after: @escaping @Sendable (inout JSONWriter) -> Void
    ) {
        states = { (JSONWriter.object(before), JSONWriter.object(after)) }
    }
}
