internal import Basics
internal import FrameCodec

/// The input of an admin request: names from its path, parameters from its query, and its body.
/// `Routes.swift` says how each request is read.
///
/// Everything that can be checked without the router is checked here.
struct AdminInput {
    /// Entries on a page of a list, if the request names no limit.
    static var defaultLimit: Int { 100 }
    /// How far back a history goes, in seconds, if the request names no range.
    static var defaultHistorySeconds: Int64 { 3_600 }
    /// The most entries on a page.
    static var pageLimit: Int { 1_000 }

    /// Its query and its headers.
    let request: any RequestFields
    /// Names from the path, in the order of the route's braces.
    let names: [String]
    let body: [UInt8]
    /// The present date, by which dates in another unit are recognized; 0 where none are read.
    var now = WallTime.zero

    // MARK: - The path and the query

    /// A name from the path; `what` describes it in the error.
    func name(_ index: Int, as what: String) throws(AdminProblem) -> String {
        // The rule of older versions applies: names that these have stored can still be inspected
        // and removed.
        try AdminProblem.checkIdentifier(names[index], as: what, isStored: true)
        return names[index]
    }

    /// A parameter that must be an identifier; nil if it is absent.
    func identifier(_ parameter: String) throws(AdminProblem) -> String? {
        guard let text = request.query(parameter) else { return nil }
        try AdminProblem.checkIdentifier(text, as: "the parameter \(parameter)")
        return text
    }

    /// A parameter that must be a whole number in a range; nil if it is absent.
    func number<Number: FixedWidthInteger>(
        _ parameter: String,
        in range: ClosedRange<Number>
    ) throws(AdminProblem) -> Number? {
        guard let text = request.query(parameter) else { return nil }
        guard let number = Number(digits: text), range.contains(number) else {
            throw .parameterInvalid(
                "the parameter \(parameter) is \(quotation(text)); it must be a whole number from "
                    + "\(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// The number of the entry after which a page begins; nil for the first page.
    func entry<Number: TableNumber>(_ parameter: String) throws(AdminProblem) -> Number?
    where Number.RawValue == UInt32 {
        try number(parameter, in: 0...UInt32.max).map(Number.init(rawValue:))
    }

    /// Refuses headers `Reload-…` that there are not: the pushes would be accepted without what
    /// such a header was to say of them.
    func requireHeaders(among known: [String]) throws(AdminProblem) {
        for name in request.headerNames(beginning: "reload-")
        where !known.contains(where: { $0.lowercased() == name.lowercased() }) {
            let list = known.joined(separator: ", ")
            throw .headerInvalid(
                "there is no header \(quotation(name)) of this request; there are \(list)"
                    + Spelling.hint(for: name, among: known)
            )
        }
    }

    /// A date in ms since 1970 at which pushes expire: the text of a parameter or header, which
    /// errors name. They also say in which other unit it seems to be.
    func expiry(_ text: String, of what: String, code: String) throws(AdminProblem) -> WallTime {
        let number = UInt64(digits: text)
        if let number, let unit = WallTime.misreading(of: number, now: now) {
            throw AdminProblem(
                400,
                code: code,
                detail: "\(what) is \(number), which looks like \(unit); send milliseconds since "
                    + "1970"
            )
        }
        guard let number, number <= UInt64(WallTime.lastDate.rawValue) else {
            throw AdminProblem(
                400,
                code: code,
                detail: "\(what) is \(quotation(text)); it must be a whole number of milliseconds "
                    + "since 1970, at most \(WallTime.lastDate)"
            )
        }
        return WallTime(rawValue: Int64(number))
    }

    /// A parameter that must be `true` or `false`; false if it is absent.
    func flag(_ parameter: String) throws(AdminProblem) -> Bool {
        switch request.query(parameter) {
        case nil, "false": return false
        case "true": return true
        case .some(let text):
            throw .parameterInvalid(
                "the parameter \(parameter) is \(quotation(text)); it must be true or false"
            )
        }
    }

    /// Entries on a page of a list.
    func limit() throws(AdminProblem) -> Int {
        try number("limit", in: 1...Self.pageLimit) ?? Self.defaultLimit
    }
}

extension AdminProblem {
    /// The body is not what it must be.
    static func bodyInvalid(_ detail: String) -> AdminProblem {
        AdminProblem(400, code: "body-invalid", detail: detail)
    }

    /// A parameter of the query is not what it must be, or missing.
    static func parameterInvalid(_ detail: String) -> AdminProblem {
        AdminProblem(400, code: "parameter-invalid", detail: detail)
    }

    /// A header is not what it must be.
    static func headerInvalid(_ detail: String) -> AdminProblem {
        AdminProblem(400, code: "header-invalid", detail: detail)
    }

    /// The body is of a media type that is not read.
    static func mediaType(_ detail: String) -> AdminProblem {
        AdminProblem(415, code: "media-type", detail: detail)
    }

    /// Checks that a name is an identifier of the push protocol.
    static func checkIdentifier(
        _ name: String,
        as what: String,
        isStored: Bool = false
    ) throws(AdminProblem) {
        do throws(ProtocolError) {
            try FrameCodec.checkIdentifier(name, of: what, isStored: isStored)
        } catch {
            throw AdminProblem(400, code: "identifier-invalid", detail: error.message)
        }
    }
}

// MARK: - Requests whose parameters are not like others

extension AdminInput {
    func deadTokens() throws(AdminProblem) -> AdminRequest {
        let begin = try deadToken()
        return .deadTokens(app: begin.app, after: begin.after, limit: try limit())
    }

    /// Where a stream of dead tokens begins: after the last event that a client has read before its
    /// connection was lost (`Last-Event-ID`), else after what the query says.
    func deadTokenEvents() throws(AdminProblem) -> (app: String, after: UInt64) {
        var begin = try deadToken()
        guard let text = request.header("Last-Event-ID"), !text.isEmpty else { return begin }
        guard let last = UInt64(digits: text), last <= RouterLimits.numberLimit else {
            throw .headerInvalid(
                "Last-Event-ID is \(quotation(text)); it must be the id of an event of this stream"
            )
        }
        begin.after = last
        return begin
    }

    private func deadToken() throws(AdminProblem) -> (app: String, after: UInt64) {
        (try name(0, as: "the app"), try number("after", in: 0...RouterLimits.numberLimit) ?? 0)
    }

    func history() throws(AdminProblem) -> AdminRequest {
        let seconds = try number("range", in: 1...MetricHistory.longestRange.wholeSeconds)
        var resolution: HistoryResolution?
        if let text = request.query("resolution") {
            let known = HistoryResolution.allCases
            resolution = known.first { String($0.rawValue) == text }
            if resolution == nil {
                let names = known.map { String($0.rawValue) }.joined(separator: ", ")
                throw .parameterInvalid(
                    "the parameter resolution is \(quotation(text)); it must be one of \(names)"
                )
            }
        }
        return .history(
            over: .seconds(seconds ?? Self.defaultHistorySeconds),
            resolution: resolution
        )
    }

    func appHistory() throws(AdminProblem) -> AdminRequest {
        let seconds = try number("range", in: 1...MetricHistory.longestRange.wholeSeconds)
        return .appHistory(
            app: try name(0, as: "the app"),
            kind: try identifier("kind"),
            over: .seconds(seconds ?? Self.defaultHistorySeconds)
        )
    }
}

extension FixedWidthInteger {
    /// The number that digits say: Swift would also accept `+1`.
    init?(digits text: String) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}
