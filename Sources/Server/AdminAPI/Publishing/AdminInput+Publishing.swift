internal import Basics

/// What a publisher sends over HTTP: one JSON object, one push a line, or CloudEvents.
///
///     Content-Type                          the pushes
///     application/json, or none             the body
///     application/json with ce-… headers    the body, which is an event's data (binary mode)
///     application/x-ndjson                  a line each
///     application/cloudevents+json          the event's data (structured mode)
///     application/cloudevents-batch+json    the data of each event of the list
extension AdminInput {
    /// Reads what the head says of pushes of an app.
    func pushTerms(app: String, sender: PublishSender = .anyone) throws(AdminProblem) -> PushTerms {
        try requireHeaders(among: [
            "Reload-Urgent", "Reload-Void-At", "Reload-Kinds", "Reload-Outcomes",
        ])
        var request = PushRequest(app: app, payloads: Payloads(of: []))
        request.isOfPublisher = true
        request.sender = sender
        try readProducer(of: &request)
        request.isUrgent = try choice("Reload-Urgent")
        request.wantsOutcome = try choice("Reload-Outcomes")
        if let text = self.request.header("Reload-Void-At") {
            request.expiresAt = try expiry(text, of: "Reload-Void-At", code: "header-invalid")
        }
        request.kinds = try kinds()
        let mediaType = self.request.mediaType
        let namesEvents =
            mediaType == CloudEvent.structuredType || mediaType == CloudEvent.batchType
        let event = namesEvents ? nil : try CloudEvent.attributes(ofHeaders: self.request)
        if event != nil, mediaType?.hasSuffix("json") == false {
            throw .mediaType("the data of a CloudEvent must be application/json")
        }
        let key = try idempotencyKey()
        return PushTerms(request: request, mediaType: mediaType, event: event, key: key)
    }

    // MARK: - Headers

    /// `Idempotency-Key`: what the publisher calls the request by, as a string of structured fields
    /// (RFC 9651) or as it is; nil without it.
    private func idempotencyKey() throws(AdminProblem) -> String? {
        guard let text = request.header("Idempotency-Key") else { return nil }
        var key = text.utf8.map { $0 }
        var isValid = true
        if key.first == 0x22 {
            isValid = key.count >= 2 && key.last == 0x22
            (key, isValid) = isValid ? Self.unescaped(key.dropFirst().dropLast()) : (key, false)
        }
        isValid = isValid && (1...255).contains(key.count)
        if !isValid || !key.allSatisfy({ (0x20...0x7e).contains($0) }) {
            throw .headerInvalid(
                "Idempotency-Key must be 1 to 255 visible ASCII characters, in quotation marks or "
                    + "without"
            )
        }
        return String(decoding: key, as: UTF8.self)
    }

    /// The bytes of a string of structured fields, and whether its escapes are right.
    private static func unescaped(_ text: some Sequence<UInt8>) -> ([UInt8], Bool) {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in text {
            if !isEscaped && byte == 0x22 { return (bytes, false) }
            if isEscaped && byte != 0x22 && byte != 0x5c { return (bytes, false) }
            isEscaped = !isEscaped && byte == 0x5c
            if !isEscaped { bytes.append(byte) }
        }
        return (bytes, !isEscaped)
    }

    /// A header that says yes or no, as a boolean of structured fields (RFC 9651) or as a word; no
    /// without it.
    private func choice(_ name: String) throws(AdminProblem) -> Bool {
        switch request.header(name) {
        case nil, "?0", "false": return false
        case "?1", "true": return true
        case .some(let text):
            throw .headerInvalid("\(name) is \(quotation(text)); it must be ?1 or ?0")
        }
    }
}
