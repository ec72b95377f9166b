package import APNsProtocol
package import HTTP2

/// Receives what becomes of pushes. All methods are called on the loop's thread, and never during a
/// call of the pool's.
package protocol APNsPoolOwner: AnyObject {
    /// APNs has answered a push.
    ///
    /// - Parameters:
    ///   - pool: the pool.
    ///   - number: what the owner has called the push.
    ///   - answer: what APNs says.
    func pool(_ pool: APNsPool, answered number: UInt64, with answer: APNsAnswer)
    /// A push has ended without an answer.
    ///
    /// - Parameters:
    ///   - pool: the pool.
    ///   - number: what the owner has called the push.
    ///   - ending: whether APNs may have accepted it nevertheless.
    func pool(_ pool: APNsPool, ended number: UInt64, by ending: HTTP2Ending)
    /// The pool may have more room than before.
    func poolHasRoom(_ pool: APNsPool)
    /// A connection could not be opened, or has ended; for the log.
    func pool(_ pool: APNsPool, lostConnectionBecause reason: String)
}
