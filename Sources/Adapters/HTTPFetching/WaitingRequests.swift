/// The queue of the requests that wait for a free connection.
struct WaitingRequests {
    struct Request {
        let call: HTTPCall
        let completion: FetchCompletion
    }

    /// The waiting requests begin at `first`; those before it have been removed, and are nil.
    private var requests: ContiguousArray<Request?> = []
    private var first = 0

    var count: Int { requests.count - first }

    mutating func append(_ request: Request) {
        if first > requests.count / 2 {
            requests.removeFirst(first)
            first = 0
        }
        assert(first <= requests.count, "more requests were removed than there were")
        requests.append(request)
    }

    /// Removes and returns the oldest request; nil if none waits.
    mutating func next() -> Request? {
        if first == requests.count { return nil }
        assert(requests[first] != nil, "a waiting request is missing")
        defer { first += 1 }
        return requests[first].take()
    }
}
