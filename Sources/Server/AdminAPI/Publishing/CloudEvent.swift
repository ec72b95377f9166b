internal import ReloadModel

/// An event of CloudEvents 1.0: its data is a payload, and its source and id name it among all
/// events.
struct CloudEvent: Equatable {
    /// The media type of one event with its data.
    static var structuredType: String { "application/cloudevents+json" }
    /// The media type of a list of events with their data.
    static var batchType: String { "application/cloudevents-batch+json" }
    /// The longest attribute, in bytes.
    static var attributeLimit: Int { 1_024 }

    /// What an event is called: no other event has the same name.
    struct Name: Equatable {
        var source: String
        var id: String
    }

    /// Its name.
    var name: Name
    /// The text of the JSON value of its data; not yet validated as a payload.
    var data: [UInt8]

    // MARK: - Binary mode

    /// Reads the name of the event whose data is the body.
    ///
    /// - Returns: nil if the request has no `ce-specversion`, and so is no event.
    /// - Throws: `event-invalid`.
    static func name(ofHeaders request: any RequestFields) throws(AdminProblem) -> Name? {
        guard let version = request.header("ce-specversion") else { return nil }
        return try name(
            version: version,
            id: request.header("ce-id"),
            source: request.header("ce-source"),
            type: request.header("ce-type")
        )
    }

    // MARK: - Structured mode

    /// Reads a body that is one event.
    ///
    /// - Throws: `body-invalid` or `event-invalid`.
    static func read(_ body: [UInt8]) throws(AdminProblem) -> CloudEvent {
        var parts = Parts()
        // The data may be nested as deeply as a payload, and is itself a member.
        try AdminValue.readObject(body, depth: RouterLimits.jsonDepth + 1) {
            (name, value) throws(AdminProblem) in
            try parts.add(name, value: value)
        }
        return try parts.event()
    }

    /// Reads a body that is a list of events.
    ///
    /// - Throws: `body-invalid` or `event-invalid`; 413 for more than `limit` events.
    static func readBatch(
        _ body: [UInt8],
        limit: Int
    ) throws(AdminProblem) -> [CloudEvent] {
        var events: [CloudEvent]?
        // The strict scanner accepts objects alone, so that the list becomes a member of one.
        let wrapped = Array(#"{"events":"#.utf8) + body + [0x7d]
        try AdminValue.readObject(wrapped, depth: RouterLimits.jsonDepth + 3) {
            (name, value) throws(AdminProblem) in
            if name != "events" || events != nil {
                throw AdminProblem(400, code: "body-invalid", detail: "the body is not one list")
            }
            events = try value.list(limit) { (value) throws(AdminProblem) in
                var parts = Parts()
                try value.members { (name, value) throws(AdminProblem) in
                    try parts.add(name, value: value)
                }
                return try parts.event()
            }
        }
        guard let events, !events.isEmpty else {
            throw AdminProblem(400, code: "body-invalid", detail: "the list of events is empty")
        }
        return events
    }

    /// The members of an event that are known so far.
    private struct Parts {
        var version: String?
        var id: String?
        var source: String?
        var type: String?
        var data: [UInt8]?

        mutating func add(_ name: String, value: AdminValue) throws(AdminProblem) {
            switch name {
            case "specversion": version = try value.string(attributeLimit)
            case "id": id = try value.string(attributeLimit)
            case "source": source = try value.string(attributeLimit)
            case "type": type = try value.string(attributeLimit)
            case "data": data = value.text
            case "data_base64":
                throw invalid("data_base64 is for data that is not JSON; a payload is JSON")
            // Other attributes say nothing to the router.
            default: break
            }
        }

        func event() throws(AdminProblem) -> CloudEvent {
            let name = try name(version: version, id: id, source: source, type: type)
            guard let data else { throw invalid("the event has no data, which is its payload") }
            return CloudEvent(name: name, data: data)
        }
    }

    // MARK: - Attributes

    private static func name(
        version: String?,
        id: String?,
        source: String?,
        type: String?
    ) throws(AdminProblem) -> Name {
        guard version == "1.0" else { throw invalid("its specversion is not 1.0") }
        let attributes = [("id", id), ("source", source), ("type", type)]
        for (name, value) in attributes {
            guard let value, !value.isEmpty else { throw invalid("the event has no \(name)") }
            if value.utf8.count > attributeLimit {
                throw invalid("its \(name) has more than \(attributeLimit) bytes")
            }
        }
        return Name(source: source ?? "", id: id ?? "")
    }

    private static func invalid(_ detail: String) -> AdminProblem {
        AdminProblem(400, code: "event-invalid", detail: detail)
    }
}
