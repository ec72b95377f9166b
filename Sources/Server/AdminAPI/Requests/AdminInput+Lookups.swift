internal import Basics

/// Asking for pushes that were accepted: operators ask for those of any sender of an app, and
/// publishers for their own.
extension AdminInput {
    // MARK: - Operators

    func pushes() throws(AdminProblem) -> AdminRequest {
        let app = try name(0, as: "the app")
        let name = try requestName()
        let credential = try identifier("credential")
        let subject = try text("sub", limit: CloudEvent.attributeLimit)
        if credential != nil && name == nil {
            throw .parameterInvalid(
                "the parameter credential is that of a key or an event, and neither is given"
            )
        }
        if subject != nil && credential == nil {
            throw .parameterInvalid("the parameter sub is that of a credential, which is missing")
        }
        let parts = [credential, subject].compactMap { $0 }
        return .lookUp(
            .list(
                PushListRequest(
                    app: app,
                    producer: try identifier("producer"),
                    name: name?.key(app: app, credential: parts),
                    before: try number("after", in: 0...RouterLimits.numberLimit),
                    limit: try limit()
                )
            )
        )
    }

    func pushHistory() throws(AdminProblem) -> AdminRequest {
        .lookUp(try history(of: try name(1, as: "the producer"), limit: try limit()))
    }

    // MARK: - Publishers

    /// Reads what a publisher asks for: the pushes of a request or an event of its own, or what
    /// became of one of a producer's.
    func lookup(
        _ lookup: PublishTarget.Lookup,
        by sender: PublishSender
    ) throws(AdminProblem) -> PushLookup {
        let most = RouterLimits.historyPage
        let limit = try number("limit", in: 1...most) ?? most
        if case .history(let producer) = lookup { return try history(of: producer, limit: limit) }
        guard let name = try requestName() else {
            throw .parameterInvalid(
                "the parameter key is missing, or source and id: of which request or event?"
            )
        }
        return .list(
            PushListRequest(
                app: names[0],
                producer: nil,
                name: name.key(app: names[0], credential: sender.credential),
                before: try number("after", in: 0...RouterLimits.numberLimit),
                limit: limit
            )
        )
    }

    // MARK: - Parts

    private func history(of producer: String, limit: Int) throws(AdminProblem) -> PushLookup {
        guard let seq = UInt64(digits: names[2]), (1...RouterLimits.numberLimit).contains(seq)
        else {
            throw .parameterInvalid(
                "\(quotation(names[2])) is no sequence number of a push: a whole number from 1 to "
                    + "\(RouterLimits.numberLimit)"
            )
        }
        return .history(
            PushHistoryRequest(
                app: try name(0, as: "the app"),
                producer: producer,
                seq: seq,
                after: try number("after", in: 0...Int(UInt32.max)),
                limit: limit
            )
        )
    }

    /// What the request or the event is called of which pushes are asked for; nil if of none.
    private func requestName() throws(AdminProblem) -> RequestName? {
        let key = try text("key", limit: 255)
        let source = try text("source", limit: CloudEvent.attributeLimit)
        let id = try text("id", limit: CloudEvent.attributeLimit)
        if (source == nil) != (id == nil) {
            throw .parameterInvalid("source and id are given together, or neither of them")
        }
        if let source, let id {
            if key == nil { return .cloudEvents([CloudEvent.Name(source: source, id: id)]) }
            throw .parameterInvalid(
                "key names a request, and source and id an event: give one of them"
            )
        }
        return key.map { .key($0) }
    }

    /// A parameter that is any text of at most `limit` bytes, and not empty; nil if it is absent.
    private func text(_ parameter: String, limit: Int) throws(AdminProblem) -> String? {
        guard let text = request.query(parameter) else { return nil }
        if (1...limit).contains(text.utf8.count) { return text }
        throw .parameterInvalid("the parameter \(parameter) must have 1 to \(limit) bytes")
    }
}
