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
        var app: String?
        var payload: [UInt8]?
        var (device, kind): (String?, String?)
        var kinds: [String]?
        var isUrgent = false
        var limit = Self.defaultLimit
        // The payload may be nested as deeply as that of a push, and is itself a member.
        try object(depth: RouterLimits.jsonDepth + 1) { (name, value) throws(AdminProblem) in
            switch name {
            case "app": app = try value.identifier()
            case "payload": payload = try value.object()
            case "urgent": isUrgent = try value.boolean()
            case "kinds":
                kinds = try value.nonNull?.list(Self.pageLimit) { (name) throws(AdminProblem) in
                    try name.identifier()
                }
            case "device": device = try value.nonNull?.identifier()
            case "kind": kind = try value.nonNull?.identifier()
            case "limit": limit = Int(try value.integer(1...Int64(Self.pageLimit)))
            default: throw value.unknown("app, payload, urgent, kinds, device, kind and limit")
            }
        }
        var request = ExplainRequest(
            app: try needed(app, named: "app"),
            payload: try needed(payload, named: "payload")
        )
        request.isUrgent = isUrgent
        request.kinds = kinds
        request.device = device
        request.kind = kind
        request.limit = limit
        return .explain(request)
    }

    func slots() throws(AdminProblem) -> AdminRequest {
        var (app, kind): (String?, String?)
        var dates: [SlotRequest.Date]?
        try object { (name, value) throws(AdminProblem) in
            switch name {
            case "app": app = try value.identifier()
            case "kind": kind = try value.identifier()
            case "dates":
                dates = try value.list(Self.slotDatesLimit) { (value) throws(AdminProblem) in
                    try date(value)
                }
            default: throw value.unknown("app, kind and dates")
            }
        }
        return .slots(
            SlotRequest(
                app: try needed(app, named: "app"),
                kind: try needed(kind, named: "kind"),
                dates: try needed(dates, named: "dates")
            )
        )
    }

    private func date(_ value: AdminValue) throws(AdminProblem) -> SlotRequest.Date {
        var id: String?
        var after: WallTime?
        try value.members { (name, value) throws(AdminProblem) in
            switch name {
            case "id": id = try value.string(Self.slotIDLimit)
            case "after": after = try value.date(now: now)
            default: throw value.unknown("id and after")
            }
        }
        guard let id, let after else {
            throw .bodyInvalid("\(value.path) has no member \(id == nil ? "id" : "after")")
        }
        return SlotRequest.Date(id: id, after: after)
    }

    func revokeTokens() throws(AdminProblem) -> AdminRequest {
        var before: WallTime?
        if !body.isEmpty {
            try object { (name, value) throws(AdminProblem) in
                guard name == "before" else { throw value.unknown("before") }
                let date = try value.date(now: now)
                // A mistake should keep no device out for long.
                if date > now + TokenClaims.clockSkew {
                    throw value.wrong("a date that has come: tokens are issued until then")
                }
                before = date
            }
        }
        return .revokeTokens(
            app: try name(0, as: "the app"),
            device: try name(1, as: "the device"),
            before: before
        )
    }

    func setLogLevel() throws(AdminProblem) -> AdminRequest {
        let levels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]
        var level: String?
        try object { (name, value) throws(AdminProblem) in
            guard name == "level" else { throw value.unknown("level") }
            let text = try value.string(Self.slotIDLimit)
            if !levels.contains(text) {
                throw value.wrong("one of \(levels.joined(separator: ", "))")
            }
            level = text
        }
        return .setLogLevel(try needed(level, named: "level"))
    }

    func backup() throws(AdminProblem) -> AdminRequest {
        var name: String?
        try object { (member, value) throws(AdminProblem) in
            guard member == "name" else { throw value.unknown("name") }
            let text = try value.string(Self.backupNameLimit)
            let isName = text.utf8.allSatisfy { byte in
                Self.isLetterOrDigit(byte) || "-_".utf8.contains(byte)
            }
            // Without dots, so that it is the name of no other file of the router; and no option of
            // a command that is used with it.
            if !isName || !text.utf8.prefix(1).contains(where: Self.isLetterOrDigit) {
                throw value.wrong(
                    "a name of letters, digits, hyphens and underscores that begins with a letter "
                        + "or digit: that of a folder in the router's backup-folder"
                )
            }
            name = text
        }
        return .backup(name: try needed(name, named: "name"))
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }

    /// The code of a one-time link.
    func code() throws(AdminProblem) -> String {
        var code: String?
        try object { (name, value) throws(AdminProblem) in
            guard name == "code" else { throw value.unknown("code") }
            code = try value.string(AdminToken.longest)
        }
        return try needed(code, named: "code")
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

    // MARK: - Objects

    /// Reads the body, which must be an object, passing each member's name and value to `member`.
    private func object(
        depth: Int = RouterLimits.jsonDepth,
        member: (String, AdminValue) throws(AdminProblem) -> Void
    ) throws(AdminProblem) {
        try AdminValue.readObject(body, depth: depth, member: member)
    }

    /// Returns a member's value, which must be present.
    private func needed<Value>(_ value: Value?, named name: String) throws(AdminProblem) -> Value {
        guard let value else { throw .bodyInvalid("the body has no member \(name)") }
        return value
    }
}
