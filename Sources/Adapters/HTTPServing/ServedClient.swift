/// What an `HTTPServer` keeps of a connection, and of the request on it.
final class ServedClient {
    /// The head of a request whose body arrives; nil if there is none.
    var request: HTTPRequest?
    /// The request that is with the handler; nil if there is none.
    var exchange: HTTPExchange?
    /// The rest of an answer's body.
    private var rest: ArraySlice<UInt8> = []

    /// Keeps the body of an answer, to be sent in parts.
    func keep(_ body: [UInt8]) { rest = body[...] }

    /// Removes and returns the next bytes of the answer's body; empty at its end.
    func takeRest(_ most: Int) -> ArraySlice<UInt8> {
        defer {
            rest = rest.dropFirst(most)
            if rest.isEmpty { rest = [] }
        }
        return rest.prefix(most)
    }

    /// Forgets its request, because the client does not wait for an answer any more.
    func drop() {
        exchange?.complete()
        exchange = nil
        request = nil
    }
}

extension HTTPConnection {
    /// What the server keeps of it.
    var served: ServedClient { content as! ServedClient }
}
