package import Cryptography
package import HTTPMessages
package import LibuvLoop

extension HTTPConversation {
    /// Sends one request on a loop of its own, and blocks until its outcome is known.
    package static func outcome(
        of question: HTTPCall,
        at server: Endpoint,
        security: TLSClientContext?,
        limits: Limits = Limits()
    ) throws -> Result<HTTPAnswer, HTTPFetchError> {
        let loop = try Loop()
        let client = try HTTPConversation(loop, server: server, security: security, limits: limits)
        var outcome = Result<HTTPAnswer, HTTPFetchError>.failure(.closed)
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
