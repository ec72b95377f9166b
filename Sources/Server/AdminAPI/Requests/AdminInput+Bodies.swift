internal import Basics
internal import Credentials
internal import RouterCore

/// Reading the requests whose body is a JSON object; `Routes.swift` names the method of each.
extension AdminInput {
    /// The most dates in one request for slots.
    static var slotDatesLimit: Int { 1_000 }
    /// The longest `id` of a date in a request for slots, in bytes.
    static var slotIDLimit: Int { 256 }
    /// The longest name of a backup, in bytes.
    static var backupNameLimit: Int { 128 }

    func explain() throws(AdminProblem) -> AdminRequest {
        try object(
            of: ["app", "payload", "urgent", "kinds", "device", "kind", "limit", "near"],
            // The payload may be nested as deeply as that of a push, and is itself a member.
            depth: RouterLimits.jsonDepth + 1
        ) { (body) throws(AdminProblem) in
            var request = ExplainRequest(
                app: try body.needed("app").identifier(),
                payload: try body.needed("payload").object()
            )
            request.isUrgent = try body["urgent"]?.boolean() ?? false
            request.kinds = try body["kinds"]?.nonNull?.list(Self.pageLimit) {
                (name) throws(AdminProblem) in try name.identifier()
            }
            request.device = try body["device"]?.nonNull?.identifier()
            request.kind = try body["kind"]?.nonNull?.identifier()
            let limit = try body["limit"]?.integer(1...Int64(Self.pageLimit))
            request.limit = limit.map { Int($0) } ?? Self.defaultLimit
            let near = try body["near"]?.integer(1...Int64(Self.pageLimit))
            request.near = near.map { Int($0) } ?? Explanation.usualNear
            return .explain(request)
        }
    }

    func slots() throws(AdminProblem) -> AdminRequest {
        try object(of: ["app", "kind", "dates"]) { (body) throws(AdminProblem) in
            .slots(
                SlotRequest(
                    app: try body.needed("app").identifier(),
                    kind: try body.needed("kind").identifier(),
                    dates: try body.needed("dates").list(Self.slotDatesLimit) {
                        (value) throws(AdminProblem) in
                        let date = try value.members(of: ["id", "after"])
                        return SlotRequest.Date(
                            id: try date.needed("id").string(Self.slotIDLimit),
                            after: try date.needed("after").date(now: now)
                        )
                    }
                )
            )
        }
    }

    func revokeTokens() throws(AdminProblem) -> AdminRequest {
        let before =
            body.isEmpty
            ? nil
            : try object(of: ["before"]) { (body) throws(AdminProblem) -> WallTime? in
                guard let value = body["before"] else { return nil }
                let date = try value.date(now: now)
                // A mistake should keep no device out for long.
                if date > now + TokenClaims.clockSkew {
                    throw value.wrong("a date that has come: tokens are issued until then")
                }
                return date
            }
        return .revokeTokens(
            app: try name(0, as: "the app"),
            device: try name(1, as: "the device"),
            before: before
        )
    }

    func setLogLevel() throws(AdminProblem) -> AdminRequest {
        let levels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]
        return try object(of: ["level"]) { (body) throws(AdminProblem) in
            let value = try body.needed("level")
            let level = try value.string(Self.slotIDLimit)
            if !levels.contains(level) {
                throw value.wrong("one of \(levels.joined(separator: ", "))")
            }
            return .setLogLevel(level)
        }
    }

    func backup() throws(AdminProblem) -> AdminRequest {
        try object(of: ["name"]) { (body) throws(AdminProblem) in
            let value = try body.needed("name")
            let name = try value.string(Self.backupNameLimit)
            let isName = name.utf8.allSatisfy { byte in
                Self.isLetterOrDigit(byte) || "-_".utf8.contains(byte)
            }
            // Without dots, so that it is the name of no other file of the router; and no option of
            // a command that is used with it.
            if !isName || !name.utf8.prefix(1).contains(where: Self.isLetterOrDigit) {
                throw value.wrong(
                    "a name of letters, digits, hyphens and underscores that begins with a letter "
                        + "or digit: that of a folder in the router's backup-folder"
                )
            }
            return .backup(name: name)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }

    /// The code of a one-time link.
    func code() throws(AdminProblem) -> String {
        try object(of: ["code"]) { (body) throws(AdminProblem) in
            try body.needed("code").string(AdminToken.longest)
        }
    }

    /// Reads the body, which must be an object whose members have some of these names.
    private func object<Result>(
        of names: [String],
        depth: Int = RouterLimits.jsonDepth,
        read: (AdminMembers) throws(AdminProblem) -> Result
    ) throws(AdminProblem) -> Result {
        try AdminValue.read(body, depth: depth) { (value) throws(AdminProblem) in
            try read(try value.members(of: names))
        }
    }

    // MARK: - The app file

    func replaceAppFile() throws(AdminProblem) -> AdminRequest { .replaceAppFile(try appFile()) }

    /// Parses the body as an app file.
    func appFile() throws(AdminProblem) -> AppFile {
        let file: AppFile
        do throws(AppFileError) {
            file = try body.withByteView { (view) throws(AppFileError) in try AppFile.parse(view) }
        } catch {
            throw AdminProblem(400, code: error.code ?? "body-invalid", detail: "\(error)")
        }
        if let problem = file.unusableKey { throw .bodyInvalid(problem) }
        return file
    }
}
