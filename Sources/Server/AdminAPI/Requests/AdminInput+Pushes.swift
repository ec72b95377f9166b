internal import Basics
internal import FrameCodec

/// Pushes over HTTP: one JSON body, or one push per line.
extension AdminInput {
    /// The most pushes in one request.
    static var pushesLimit: Int { 10_000 }

    func push() throws(AdminProblem) -> AdminRequest {
        guard let app = try identifier("app") else {
            throw .parameterInvalid("the parameter app is missing")
        }
        try requireHeaders(among: ["Reload-Kinds"])
        let payloads = try Payloads(body, mediaType: self.request.mediaType)
        var request = PushRequest(app: app, payloads: payloads)
        try readProducer(of: &request)
        request.producer = try request.producer.map(Self.operatorProducer)
        request.isUrgent = try flag("urgent")
        if let text = self.request.query("voidAt") {
            request.expiresAt = try expiry(
                text,
                of: "the parameter voidAt",
                code: "parameter-invalid"
            )
        }
        request.kinds = try kinds()
        return .push(request)
    }

    /// The producer for which an operator pushes: none that a publisher can name, so that it ends
    /// no publisher's session and skips none of its numbers.
    private static func operatorProducer(_ name: String) throws(AdminProblem) -> String {
        let producer = "(operator:\(name))"
        try AdminProblem.checkIdentifier(producer, as: "the parameter producer, as \(producer),")
        return producer
    }

    /// Reads the producer of pushes and the number of the first one.
    func readProducer(of request: inout PushRequest) throws(AdminProblem) {
        request.producer = try identifier("producer")
        if HelloMessage.isReserved(request.producer ?? "") {
            throw AdminProblem(
                400,
                code: "identifier-invalid",
                detail: "producers whose names are in parentheses are the router's own"
            )
        }
        let lastFirst = RouterLimits.numberLimit - UInt64(Self.pushesLimit)
        request.firstSeq = try number("seq", in: 1...lastFirst)
        if (request.producer == nil) != (request.firstSeq == nil) {
            throw .parameterInvalid("producer and seq are given together, or neither of them")
        }
    }

    /// The kinds that the headers `Reload-Kinds` name together; nil without any.
    func kinds() throws(AdminProblem) -> [UInt8]? {
        let lists = request.headers("Reload-Kinds")
        if lists.isEmpty { return nil }
        let names = KindNames.names(in: lists.joined(separator: ","))
        guard let kinds = KindNames.encode(names) else {
            throw .headerInvalid("Reload-Kinds must be names of kinds separated by commas")
        }
        return kinds
    }
}

extension Payloads {
    private static var empty: AdminProblem {
        .bodyInvalid("the body is empty; it must have a push")
    }

    /// Reads the payloads of a body: the whole of it, or one per line, depending on the media type.
    ///
    /// - Throws: 400 `body-invalid` for an empty body, 413 for too many lines, 415 `media-type`.
    init(_ body: [UInt8], mediaType: String?) throws(AdminProblem) {
        if body.isEmpty { throw Self.empty }
        switch mediaType {
        case nil, "application/json": self.init(body)
        case "application/x-ndjson", "application/jsonl":
            try self.init(linesOf: body)
            if isEmpty { throw Self.empty }
        case .some(let other):
            throw .mediaType(
                "the body is \(quotation(other)); it must be application/json, or "
                    + "application/x-ndjson for one push a line"
            )
        }
    }
}
