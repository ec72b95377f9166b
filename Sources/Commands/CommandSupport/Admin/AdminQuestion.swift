package import Cryptography
package import HTTPFetching
package import HTTPMessages
package import LibuvLoop

/// A request to an admin server: path and query, escaped.
package typealias AdminQuestion = HTTPCall
/// Sends requests to a router's admin server, one at a time, each on a connection of its own.
package typealias AdminClient = HTTPConversation
/// Why a request got no answer.
package typealias AdminClientError = HTTPFetchError

extension HTTPConversation {
    /// Sends one request on a loop of its own, and blocks until its outcome is known.
    package static func outcome(
        of question: AdminQuestion,
        at server: Endpoint,
        security: TLSClientContext?,
        limits: Limits = Limits()
    ) throws -> Result<HTTPAnswer, AdminClientError> {
        let loop = try Loop()
        let client = try AdminClient(loop, server: server, security: security, limits: limits)
        var outcome = Result<HTTPAnswer, AdminClientError>.failure(.closed)
        client.ask(question) { result in
            outcome = result
            client.close()
        }
        // The loop runs until the connection is closed.
        try withExtendedLifetime(client) { try loop.run() }
        try loop.close()
        return outcome
    }
}
