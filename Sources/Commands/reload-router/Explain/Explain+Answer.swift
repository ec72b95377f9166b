import ArgumentParser
import Basics
import CommandSupport

/// What a router says of a push that is not made: one that runs, or one in virtual time.
extension Explain {
    /// The most widgets that a server reports: the `maximum` in the schema of its API.
    static var serverLimit: Int { 1_000 }

    // MARK: - A router that runs

    func ask(_ server: String) throws {
        let payload = try Self.payload(push[0])
        let address = try access.address(of: server)
        let question = address.question("/v1/explain", body: question(payload))
        try report(try address.json(answering: question))
    }

    /// The body of the request. The payload is inserted unchanged, so that the router judges it.
    private func question(_ payload: [UInt8]) -> [UInt8] {
        JSONWriter.object { json in
            json.member("app", value: app ?? "")
            payload.withByteView { json.member("payload", json: $0) }
            json.member("urgent", value: urgent)
            if let kinds = kinds.names { json.list("kinds", of: kinds) }
            if let device { json.member("device", value: device) }
            if let kind { json.member("kind", value: kind) }
            json.member("limit", value: askedLimit)
            if near { json.member("near", value: askedLimit) }
        }
    }

    /// How many widgets a router is asked for. It cannot be asked for one of a device: so it is
    /// asked for all, and the one is selected here.
    var askedLimit: Int { widget == nil ? limit : Self.serverLimit }

    // MARK: - The answer

    /// Prints an answer, with the number of the push, from 1, if there are several.
    ///
    /// - Throws: `SettingsProblem` if one widget was asked for and the answer does not have it.
    func report(_ answer: JSONValue, push: Int? = nil) throws(SettingsProblem) {
        for hint in answer["hints"].elements {
            writeStandardError("warning: \(hint.string ?? "")\n")
        }
        let matched = chosen(answer["widgets"])
        // An answer has others as well if there is no near miss.
        let missed = chosen(answer["near"]).filter { !near || device != nil || Self.isNear($0) }
        if let widget, matched.isEmpty && missed.isEmpty {
            throw SettingsProblem("there is no widget \(widget) of \(device ?? "")")
        }
        if !near { for found in matched { printLines(found, push: push) } }
        if near || device != nil {
            for found in missed { printLines(found, push: push) }
        } else if matched.isEmpty && !json {
            // Unasked, for people: why the push matches nothing.
            for found in missed { printLines(found, push: push) }
        }
        if json { return }
        let concerned = answer["concerned"]
        let count = widget == nil ? concerned.string ?? concerned.text : "\(matched.count)"
        let isCut = device == nil && missed.count >= limit
        let examined = to == nil ? "" : ", among the first that were examined"
        let some = isCut ? ", and perhaps more (--limit)" : examined
        printLine(
            near
                ? "\(missed.count) nearly matched\(some)"
                : "\(count) matched, \(matched.count) reported"
        )
    }

    /// Whether no more than one condition keeps a widget from being matched.
    private static func isNear(_ missed: JSONValue) -> Bool {
        missed["tests"].elements.count { !$0["isHeld"].isTrue } <= 1
    }

    /// The widgets of a list that were asked for.
    private func chosen(_ widgets: JSONValue) -> [JSONValue] {
        widgets.elements.filter { widget == nil || $0["widget"].string == widget }
    }

    private func printLines(_ widget: JSONValue, push: Int?) {
        if json {
            let number = push.map { [JSONValue.Member(name: "push", value: .integer(Int64($0)))] }
            return printLine(JSONValue.object((number ?? []) + widget.members).text)
        }
        func text(_ value: JSONValue) -> String { value.string ?? "" }
        let outcome = widget["outcome"].string.map { " [\($0)]" } ?? ""
        let name = "\(text(widget["device"]))/\(text(widget["widget"]))"
        printLine("\(name)\(outcome): \(text(widget["text"]))")
        if device == nil { return }
        for test in widget["tests"].elements {
            printLine(
                "    \(test["isHeld"].isTrue ? "holds" : "fails")  \(text(test["field"])): "
                    + "\(text(test["value"])), wanted \(text(test["test"]))"
            )
        }
    }
}
