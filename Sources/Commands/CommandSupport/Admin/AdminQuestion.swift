package import HTTPFetching

/// A request to an admin server: path and query, escaped.
package typealias AdminQuestion = HTTPCall
/// Sends requests to a router's admin server, one at a time, each on a connection of its own.
package typealias AdminClient = HTTPConversation
/// Why a request got no answer.
package typealias AdminClientError = HTTPFetchError
