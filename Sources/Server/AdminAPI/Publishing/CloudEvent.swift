internal import DataStructures
internal import ReloadModel
internal import StrictJSON

/// An event of CloudEvents 1.0: its data, with what its attributes say beside it, is a payload, and
/// its source and id name it among all events.
struct CloudEvent: Equatable {
    /// The media type of one event with its data.
    static var structuredType: String { "application/cloudevents+json" }
    /// The media type of a list of events with their data.
    static var batchType: String { "application/cloudevents-batch+json" }
    /// The longest attribute, in bytes.
    static var attributeLimit: Int { 1_024 }
    /// The most bytes of an event besides its data, in structured mode.
    static var surroundLimit: Int { 64 << 10 }

    /// What an event is called: no other event has the same name.
    struct Name: Equatable {
        var source: String
        var id: String
    }

    /// What has happened, by the attributes that are members of the payload as well.
    struct Attributes: Equatable {
        var name: Name
        var type: String
        var subject: String?

        /// The attributes by their names.
        fileprivate var members: [(name: String, value: String)] {
            [("type", type), ("source", name.source)] + (subject.map { [("subject", $0)] } ?? [])
        }
    }

    /// Its name.
    var name: Name
    /// The text of its data, which has those of its attributes as members that it lacks; not yet
    /// validated as a payload.
    var payload: [UInt8]

    /// Adds attributes to data as members, unless the data has members of their names: a rule finds
    /// widgets by an event's `type` as by any other member.
    ///
    /// - Parameters:
    ///   - attributes: those of the event.
    ///   - data: the text of a JSON value.
    /// - Returns: the text of the payload; `data` itself if it is no object.
    static func payload(of attributes: Attributes, data: [UInt8]) -> [UInt8] {
        var missing = attributes.members
        var isEmpty = true
        let isObject = data.withByteView { data in
            var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
            // Only objects are accepted; what is none is refused as every payload is.
            guard (try? validateJSON(data, using: &scanner)) != nil else { return false }
            var reader = JSONReader(data)
            reader.enterObject()
            while let key = reader.nextKey() {
                let name = key.string
                missing.removeAll { $0.name == name }
                reader.skipValue()
                isEmpty = false
            }
            return true
        }
        guard isObject, !missing.isEmpty, let end = data.lastIndex(of: 0x7d) else { return data }
        let members = JSONWriter.object { json in
            for (name, value) in missing { json.member(name, value: value) }
        }
        return data[..<end] + (isEmpty ? [] : [0x2c]) + members.dropFirst()
    }

    // MARK: - Binary mode

    /// Reads the attributes of the event whose data is the body.
    ///
    /// - Returns: nil if the request has no `ce-specversion`, and so is no event.
    /// - Throws: `event-invalid`.
    static func attributes(
        ofHeaders request: any RequestFields
    ) throws(AdminProblem) -> Attributes? {
        guard let version = request.header("ce-specversion") else { return nil }
        return try attributes(
            version: version,
            id: request.header("ce-id"),
            source: request.header("ce-source"),
            type: request.header("ce-type"),
            subject: request.header("ce-subject")
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
        var subject: String?
        var data: [UInt8]?

        mutating func add(_ name: String, value: AdminValue) throws(AdminProblem) {
            switch name {
            case "specversion": version = try value.string(attributeLimit)
            case "id": id = try value.string(attributeLimit)
            case "source": source = try value.string(attributeLimit)
            case "type": type = try value.string(attributeLimit)
            case "subject": subject = try value.nonNull?.string(attributeLimit)
            case "data": data = value.text
            case "data_base64":
                throw invalid("data_base64 is for data that is not JSON; a payload is JSON")
            // Other attributes say nothing to the router.
            default: break
            }
        }

        func event() throws(AdminProblem) -> CloudEvent {
            let attributes = try attributes(
                version: version,
                id: id,
                source: source,
                type: type,
                subject: subject
            )
            guard let data else { throw invalid("the event has no data, which is its payload") }
            return CloudEvent(
                name: attributes.name,
                payload: CloudEvent.payload(of: attributes, data: data)
            )
        }
    }

    // MARK: - Attributes

    private static func attributes(
        version: String?,
        id: String?,
        source: String?,
        type: String?,
        subject: String?
    ) throws(AdminProblem) -> Attributes {
        guard version == "1.0" else { throw invalid("its specversion is not 1.0") }
        func checked(_ name: String, value: String?) throws(AdminProblem) -> String {
            guard let value, !value.isEmpty else { throw invalid("the event has no \(name)") }
            if value.utf8.count > attributeLimit {
                throw invalid("its \(name) has more than \(attributeLimit) bytes")
            }
            return value
        }
        let id = try checked("id", value: id)
        let name = Name(source: try checked("source", value: source), id: id)
        var attributes = Attributes(name: name, type: try checked("type", value: type))
        if let subject, !subject.isEmpty {
            attributes.subject = try checked("subject", value: subject)
        }
        return attributes
    }

    private static func invalid(_ detail: String) -> AdminProblem {
        AdminProblem(400, code: "event-invalid", detail: detail)
    }
}
