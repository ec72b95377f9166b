internal import DataStructures
internal import FrameCodec
internal import HTTPServing
internal import ReloadModel

/// What a request brings: names of its path, parameters of its query, its body.
///
/// Whatever can be found wrong without the router is found here.
struct AdminInput {
    /// Entries of a list that are told at once, if nothing else is asked for, and at most.
    static var standardLimit: Int { 100 }
    static var longestList: Int { 1_000 }

    let request: HTTPRequest
    /// Of the path, in the order of the braces.
    let names: [String]
    let body: [UInt8]

    // MARK: - The path and the query

    /// A name of the path.
    func name(_ index: Int, _ what: String) throws(AdminProblem) -> String {
        // What was stored by an older version can be looked at, and removed.
        try AdminProblem.checkIdentifier(names[index], what, isStored: true)
        return names[index]
    }

    /// A parameter that is an identifier; nil if it is not there.
    func identifier(_ parameter: String) throws(AdminProblem) -> String? {
        guard let text = request.query(parameter) else { return nil }
        try AdminProblem.checkIdentifier(text, "the parameter \(parameter)")
        return text
    }

    /// A parameter that is a whole number; nil if it is not there.
    func number<Number: FixedWidthInteger>(
        _ parameter: String,
        _ range: ClosedRange<Number>
    ) throws(AdminProblem) -> Number? {
        guard let text = request.query(parameter) else { return nil }
        // Digits only: Swift would take +1, too.
        let isDigits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isDigits, let number = Number(text), range.contains(number) else {
            throw AdminProblem(
                400,
                "parameter-invalid",
                "the parameter \(parameter) is \(quotation(text)); it must be a whole number from "
                    + "\(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// A parameter that is true or false; false if it is not there.
    func flag(_ parameter: String) throws(AdminProblem) -> Bool {
        switch request.query(parameter) {
        case nil, "false": return false
        case "true": return true
        case .some(let text):
            throw AdminProblem(
                400,
                "parameter-invalid",
                "the parameter \(parameter) is \(quotation(text)); it must be true or false"
            )
        }
    }

    func limit() throws(AdminProblem) -> Int {
        try number("limit", 1...Self.longestList) ?? Self.standardLimit
    }

}

extension AdminProblem {
    /// Checks what the push protocol calls an identifier.
    static func checkIdentifier(
        _ name: String,
        _ what: String,
        isStored: Bool = false
    ) throws(AdminProblem) {
        do throws(ProtocolError) {
            try FrameCodec.checkIdentifier(name, what, isStored: isStored)
        } catch {
            throw AdminProblem(400, "identifier-invalid", error.message)
        }
    }
}

// MARK: - Requests that have no body

extension AdminInput {
    func connections() throws(AdminProblem) -> AdminRequest {
        .connections(after: try number("after", 0...UInt32.max), limit: try limit())
    }

    func producers() throws(AdminProblem) -> AdminRequest {
        .producers(
            app: try identifier("app"),
            after: try number("after", 0...UInt32.max),
            limit: try limit()
        )
    }

    func forgetProducer() throws(AdminProblem) -> AdminRequest {
        .forgetProducer(app: try name(0, "the app"), producer: try name(1, "the producer"))
    }

    func apps() -> AdminRequest { .apps }
    func appFile() -> AdminRequest { .appFile }
    func origins() -> AdminRequest { .origins }
    func hotKeys() -> AdminRequest { .hotKeys }
    func logLevel() -> AdminRequest { .logLevel }
    func drain() -> AdminRequest { .drain }

    func app() throws(AdminProblem) -> AdminRequest { .app(try name(0, "the app")) }

    func pause() throws(AdminProblem) -> AdminRequest { .pause(app: try name(0, "the app")) }

    func resume() throws(AdminProblem) -> AdminRequest { .resume(app: try name(0, "the app")) }

    func devices() throws(AdminProblem) -> AdminRequest {
        .devices(
            app: try name(0, "the app"),
            after: try identifier("after"),
            limit: try limit()
        )
    }

    func device() throws(AdminProblem) -> AdminRequest {
        .device(app: try name(0, "the app"), device: try name(1, "the device"))
    }
}
