/// A token that was not given although the router asks for one.
package enum MissingToken {
    /// The end of a message about a refused session: how to give a token.
    ///
    /// - Parameters:
    ///   - code: the code with which the router refused the session.
    ///   - isGiven: whether the command line or the environment has a token.
    /// - Returns: the end; empty if a token was given, or if the reason is another one.
    package static func hint(code: String, isGiven: Bool) -> String {
        if code != "token-invalid" || isGiven { return "" }
        return "; no token was given: give --token or --token-file, or set RELOAD_ROUTER_TOKEN"
    }
}
