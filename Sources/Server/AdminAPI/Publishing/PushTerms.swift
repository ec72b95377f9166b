internal import Basics

/// What the head of a publisher's request says of its pushes: all that there is to know besides its
/// body, so that the body can be read on another thread.
package struct PushTerms: Sendable {
    /// The request, as yet without its payloads and its key.
    private(set) var request: PushRequest
    /// The body's media type; nil for none.
    let mediaType: String?
    /// The event of which the body is the data, if the headers say so.
    let event: CloudEvent.Attributes?
    /// What the publisher calls the request by, if a header says so.
    let key: String?

    /// Reads the body: splits it into payloads, and digests them if the request has a name.
    ///
    /// - Throws: why the request is refused.
    package consuming func request(_ body: [UInt8]) throws(AdminProblem) -> PushRequest {
        let events = try readPayloads(of: body)
        // The name of a request with one event is that event's.
        if request.producer != nil || (key == nil && events.count > 1) {
            request.names = events.map { event in
                (try? event.get()).map { request.name(of: $0) } ?? 0
            }
        }
        // With a producer and numbers, these say which pushes came before.
        if request.producer != nil { return request }
        if let key {
            request.key = request.key(
                named: .key(key),
                contents: events.isEmpty
                    ? nil : events.map { (try? $0.get())?.content ?? CloudEvent.contentOfRefused }
            )
        } else if !events.isEmpty {
            let names = events.map { (try? $0.get())?.name ?? .ofRefused }
            request.key = request.key(named: .cloudEvents(names))
        }
        return request
    }

    /// Reads the payloads, and returns the events whose data they are.
    private mutating func readPayloads(
        of body: [UInt8]
    ) throws(AdminProblem) -> [Result<CloudEvent, AdminProblem>] {
        switch mediaType {
        case CloudEvent.structuredType:
            let event = try CloudEvent.read(body)
            request.payloads = Payloads(event.payload)
            return [.success(event)]
        case CloudEvent.batchType:
            let events = try CloudEvent.readBatch(body, limit: AdminInput.pushesLimit)
            request.payloads = Payloads(joining: events.map { (try? $0.get())?.payload ?? [] })
            for (index, event) in events.enumerated() {
                guard case .failure(let problem) = event else { continue }
                request.refused.add(index + 1) { (problem.code, problem.detail) }
            }
            return events
        default:
            if let event {
                let event = try CloudEvent(event, data: body)
                request.payloads = Payloads(event.payload)
                return [.success(event)]
            }
            request.payloads = try Payloads(body, mediaType: mediaType)
            return []
        }
    }
}
