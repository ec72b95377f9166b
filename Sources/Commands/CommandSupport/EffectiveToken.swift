import Platform

/// The token that a client command uses.
///
/// - Parameter given: the token of the command line, if it has one.
/// - Returns: that token, or else the one in RELOAD_ROUTER_TOKEN; nil if neither is set.
package func effectiveToken(_ given: String?) -> String? {
    given ?? environmentVariable("RELOAD_ROUTER_TOKEN")
}
