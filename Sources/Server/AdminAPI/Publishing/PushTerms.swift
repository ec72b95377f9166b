internal import ReloadModel

/// What the head of a publisher's request says of its pushes: all that there is to know besides its
/// body, so that the body can be read on another thread.
package struct PushTerms: Sendable {
    /// The request, as yet without its payloads and its key.
    let request: PushRequest
    /// The body's media type; nil for none.
    let mediaType: String?
    /// The event of which the body is the data, if the headers say so.
    let event: CloudEvent.Attributes?
    /// What the publisher calls the request by, if a header says so.
    let key: String?

    /// Reads the body: splits it into payloads, and digests them if the request has a name.
    ///
    /// - Throws: why the request is refused.
    package func request(_ body: [UInt8]) throws(AdminProblem) -> PushRequest {
        var request = request
        let events = try readPayloads(of: body, into: &request)
        let name = key.map(RequestName.key) ?? RequestName.events(events)
        // With a producer and numbers, these say which pushes came before.
        if request.producer == nil, let name { request.key = request.key(named: name) }
        return request
    }

    /// Reads the payloads, and returns the names of the events whose data they are.
    private func readPayloads(
        of body: [UInt8],
        into request: inout PushRequest
    ) throws(AdminProblem) -> [CloudEvent.Name] {
        switch mediaType {
        case CloudEvent.structuredType:
            let event = try CloudEvent.read(body)
            request.payloads = Payloads(event.payload)
            return [event.name]
        case CloudEvent.batchType:
            let events = try CloudEvent.readBatch(body, limit: AdminInput.pushesLimit)
            request.payloads = Payloads(joining: events.map(\.payload))
            return events.map(\.name)
        default:
            if let event {
                request.payloads = Payloads(CloudEvent.payload(of: event, data: body))
                return [event.name]
            }
            request.payloads = try Payloads(body, mediaType: mediaType)
            return []
        }
    }
}
