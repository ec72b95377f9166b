internal import Basics
internal import Credentials

/// Reading events, in each of the modes of CloudEvents' HTTP binding.
extension CloudEvent {
    // MARK: - Binary mode

    /// Reads the attributes of the event whose data is the body.
    ///
    /// - Returns: nil if the request has no `ce-specversion`, and so is no event.
    /// - Throws: `event-invalid`.
    static func attributes(
        ofHeaders request: any RequestFields
    ) throws(AdminProblem) -> Attributes? {
        if request.header("ce-specversion") == nil { return nil }
        var parts = Parts()
        for name in request.headerNames(beginning: "ce-") {
            guard let value = request.header(name) else { continue }
            guard let text = AttributeText.decode(value) else {
                throw invalid("the header \(quotation(name)) is not UTF-8 once it is decoded")
            }
            parts.add(String(name.dropFirst(3)).lowercased(), text: text)
        }
        return try parts.attributes()
    }

    // MARK: - Structured mode

    /// Reads a body that is one event.
    ///
    /// - Throws: `body-invalid` or `event-invalid`.
    static func read(_ body: [UInt8]) throws(AdminProblem) -> CloudEvent {
        // The data may be nested as deeply as a payload, and is itself a member.
        try AdminValue.read(body, depth: RouterLimits.jsonDepth + 1) {
            (value) throws(AdminProblem) in try event(value)
        }
    }

    /// Reads a body that is a list of events: each event, or why that one is refused.
    ///
    /// - Throws: `body-invalid`; 413 for more than `limit` events.
    static func readBatch(
        _ body: [UInt8],
        limit: Int
    ) throws(AdminProblem) -> [Result<CloudEvent, AdminProblem>] {
        // The strict scanner accepts objects alone, so that the list becomes a member of one.
        let wrapped = Array(#"{"events":"#.utf8) + body + [0x7d]
        return try AdminValue.read(wrapped, depth: RouterLimits.jsonDepth + 3) {
            (value) throws(AdminProblem) in
            var events: [Result<CloudEvent, AdminProblem>]?
            try value.members { (name, value) throws(AdminProblem) in
                if name != "events" || events != nil {
                    throw .bodyInvalid("the body is not one list")
                }
                events = try value.list(limit) { (value) throws(AdminProblem) in
                    do throws(AdminProblem) {
                        return .success(try event(value))
                    } catch {
                        return .failure(invalid(error.detail))
                    }
                }
            }
            guard let events, !events.isEmpty else {
                throw .bodyInvalid("the list of events is empty")
            }
            return events
        }
    }

    private static func event(_ value: AdminValue) throws(AdminProblem) -> CloudEvent {
        var parts = Parts()
        try value.members { (name, value) throws(AdminProblem) in
            try parts.add(name, value: value)
        }
        return try parts.event()
    }

    // MARK: - Attributes

    /// The attributes and the data of an event that are known so far.
    private struct Parts {
        private var version: String?
        private var id: String?
        private var source: String?
        private var type: String?
        private var subject: String?
        private var contentType: String?
        private var extensions: [Attributes.Extension] = []
        private var data: [UInt8]?
        private var base64: String?

        /// Adds a member of an event in structured mode.
        mutating func add(_ name: String, value: AdminValue) throws(AdminProblem) {
            switch name {
            case "data": data = value.text
            case "data_base64": base64 = try value.string(.max)
            case "specversion", "id", "source", "type":
                add(name, text: try value.string(attributeLimit))
            case "subject", "datacontenttype", "time", "dataschema":
                if let text = try value.nonNull?.string(attributeLimit) { add(name, text: text) }
            default: if let text = value.scalarText { add(name, text: text) }
            }
        }

        /// Adds an attribute.
        mutating func add(_ name: String, text: String) {
            switch name {
            case "specversion": version = text
            case "id": id = text
            case "source": source = text
            case "type": type = text
            case "subject": subject = text
            case "datacontenttype": contentType = text
            // They say nothing to the router; data is none of the attributes.
            case "time", "dataschema", "data", "data_base64": break
            default:
                let isName = name.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte)
                }
                if isName && !name.isEmpty { extensions.append(.init(name: name, value: text)) }
            }
        }

        func event() throws(AdminProblem) -> CloudEvent {
            let attributes = try attributes()
            if let base64 {
                if data != nil { throw invalid("the event has data and data_base64") }
                return try CloudEvent(attributes, data: try decoded(base64))
            }
            guard let data else { throw invalid("the event has no data, which is its payload") }
            return try CloudEvent(attributes, data: data)
        }

        /// The bytes of `data_base64`. How data is written is a matter of the sender's library: it
        /// is JSON all the same, unless the event says that it is not.
        private func decoded(_ base64: String) throws(AdminProblem) -> [UInt8] {
            let type = (contentType ?? "application/json").prefix { $0 != ";" }
                .filter { $0 != " " }.lowercased()
            if !type.hasSuffix("/json") && !type.hasSuffix("+json") {
                throw invalid("its datacontenttype is \(quotation(type)); a payload is JSON")
            }
            guard let bytes = AttributeText.decodeBase64(base64) else {
                throw invalid("its data_base64 is not base64")
            }
            return bytes
        }

        func attributes() throws(AdminProblem) -> Attributes {
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
            attributes.extensions = extensions.sorted {
                $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
            }
            return attributes
        }
    }
}
