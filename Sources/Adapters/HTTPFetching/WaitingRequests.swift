/// Requests that wait to go out, the oldest first.
struct WaitingRequests {
    struct Request {
        let call: HTTPCall
        let completion: FetchCompletion
    }

    /// Nil in front of `first`.
    private var requests: ContiguousArray<Request?> = []
    private var first = 0

    var count: Int { requests.count - first }

    mutating func append(_ request: Request) {
        if first > requests.count / 2 {
            requests.removeFirst(first)
            first = 0
        }
        requests.append(request)
    }

    mutating func next() -> Request? {
        if first == requests.count { return nil }
        defer { first += 1 }
        return requests[first].take()
    }
}
