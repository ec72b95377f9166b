internal import HTTPServing
internal import ReloadModel
internal import Times

/// What a publisher sends over HTTP: one JSON object, one push a line, or CloudEvents.
///
///     Content-Type                          the pushes
///     application/json, or none             the body
///     application/json with ce-… headers    the body, which is an event's data (binary mode)
///     application/x-ndjson                  a line each
///     application/cloudevents+json          the event's data (structured mode)
///     application/cloudevents-batch+json    the data of each event of the list
extension AdminInput {
    /// Reads pushes of an app.
    func publish(app: String) throws(AdminProblem) -> PushRequest {
        var request = PushRequest(app: app, payloads: try publishedPayloads())
        request.isOfPublisher = true
        try readProducer(of: &request)
        request.isUrgent = try urgency()
        request.expiresAt = try expiry()
        request.kinds = try kinds()
        return request
    }

    private func publishedPayloads() throws(AdminProblem) -> [[UInt8]] {
        switch mediaType {
        case CloudEvent.structuredType: return [try CloudEvent.read(body).data]
        case CloudEvent.batchType:
            return try CloudEvent.readBatch(body, limit: Self.pushesLimit).map(\.data)
        default:
            let isEvent = try CloudEvent.name(ofHeaders: request) != nil
            if isEvent, mediaType?.hasSuffix("json") == false {
                throw AdminProblem(
                    415,
                    code: "media-type",
                    detail: "the data of a CloudEvent must be application/json"
                )
            }
            return try payloads()
        }
    }

    // MARK: - Headers

    /// `Reload-Urgent`: whether the pushes are urgent.
    private func urgency() throws(AdminProblem) -> Bool {
        switch request.header("Reload-Urgent") {
        case nil, "?0", "false": return false
        case "?1", "true": return true
        case .some(let text):
            throw AdminProblem(
                400,
                code: "header-invalid",
                detail: "Reload-Urgent is \(quotation(text)); it must be ?1 or ?0"
            )
        }
    }

    /// `Reload-Void-At`: when the pushes expire.
    private func expiry() throws(AdminProblem) -> WallTime? {
        guard let text = request.header("Reload-Void-At") else { return nil }
        let isDigits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isDigits, let date = Int64(text), date <= Self.lastDate.rawValue else {
            throw AdminProblem(
                400,
                code: "header-invalid",
                detail: "Reload-Void-At is \(quotation(text)); it must be a whole number of "
                    + "milliseconds since 1970, at most \(Self.lastDate.rawValue)"
            )
        }
        return WallTime(rawValue: date)
    }
}
