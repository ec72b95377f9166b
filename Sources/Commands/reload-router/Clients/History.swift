import ArgumentParser
import Basics
import CommandSupport
import HTTPMessages

/// `history`: what became of a push; or the last pushes, of which one can be asked for.
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what has become of a push so far, or list the last pushes.",
        discussion: """
            With a producer and a number, prints when the push came and what became of it for each \
            widget that it matches: sent and when, put off until when and why, or why it led to no \
            reload. Without a number, lists the last pushes of the app, the newest first, or those of \
            a request over HTTP or a CloudEvent.

            The router keeps the last 131,072 pushes, and the last eight decisions of a device, in \
            memory; so nothing is known of pushes from before its start.

            Exit status: 0 printed, 1 the server refuses the token, or does not know the app, the \
            producer or the push, or has forgotten the push, 2 the server cannot be reached.
            """
    )

    @OptionGroup var admin: AdminOptions

    @Option(help: "List only the pushes of the request with this Idempotency-Key.")
    var idempotencyKey: String?

    @Option(help: "List only the push of the CloudEvent with this id, which has the --source.")
    var event: String?

    @Option(help: "The source of that event.")
    var source: String?

    @Option(help: "The id of the credential that has sent the request or the event.")
    var credential: String?

    @Option(help: "The producers that its signed token names, if these are not its key's.")
    var sub: String?

    @Option(help: "The most pushes or widgets to print.")
    var limit = 20

    @Flag(help: "Print a JSON object: for each push of a list, or for each page of a history.")
    var json = false

    @Argument(help: "The app.")
    var app: String

    @Argument(help: "The producer of the push, or of the pushes to list.")
    var producer: String?

    @Argument(help: "The number of the push.")
    var seq: UInt64?

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit is \(limit); it must be 1 or more") }
        if (event == nil) != (source == nil) {
            throw ValidationError("--event and --source are given together, or neither of them")
        }
        if event != nil && idempotencyKey != nil {
            throw ValidationError("--event and --idempotency-key: give one of them")
        }
        let isNamed = event != nil || idempotencyKey != nil
        if seq != nil && (isNamed || credential != nil || sub != nil) {
            throw ValidationError(
                "--idempotency-key, --event and --credential are for lists: leave the number out"
            )
        }
        if (credential != nil && !isNamed) || (sub != nil && credential == nil) {
            throw ValidationError(
                "--credential is that of --idempotency-key or --event, and --sub that of --credential"
            )
        }
    }

    func run() throws {
        let path = "/v1/apps/\(PercentEscapes.encode(app))/pushes"
        if let producer, let seq {
            try printHistory("\(path)/\(PercentEscapes.encode(producer))/\(seq)")
        } else {
            try printList(path)
        }
    }

    // MARK: - Lists

    private func printList(_ path: String) throws {
        var query = ""
        let filters = [
            ("producer", producer), ("key", idempotencyKey), ("id", event), ("source", source),
            ("credential", credential), ("sub", sub),
        ]
        for (name, value) in filters {
            if let value { query += "&\(name)=\(PercentEscapes.encode(value))" }
        }
        var left = limit
        try forEachPage(path, query: query) { page in
            for push in page["pushes"].elements {
                printLine(json ? push.text : Self.line(push))
                left -= 1
            }
            return left
        }
        if left == limit && !json { printLine("no push is kept") }
    }

    private static func line(_ push: JSONValue) -> String {
        "\(time(push["at"]))  \(DisplayText.printable(push["producer"].string ?? "")) "
            + "\(push["seq"].text)  matched \(push["matched"].text)"
    }

    // MARK: - One push

    private func printHistory(_ path: String) throws {
        var left = limit
        var isFirst = true
        try forEachPage(path, query: "") { page in
            if json { printLine(page.text) }
            if isFirst && !json { printLine(PushHistoryText.summary(page)) }
            isFirst = false
            for widget in page["widgets"].elements {
                if !json { printLine("  " + PushHistoryText.line(widget)) }
                left -= 1
            }
            if left == 0 && page["next"] != .null && !json {
                printLine("  and more widgets (--limit)")
            }
            return left
        }
    }

    /// Asks for pages until there are no more, or `body`, which returns how many entries are left
    /// to ask for, returns 0.
    private func forEachPage(_ path: String, query: String, body: (JSONValue) -> Int) throws {
        var left = limit
        var after = ""
        while left > 0 {
            let page = try admin.ask("\(path)?limit=\(min(left, 1_000))\(query)\(after)")
            left = body(page)
            guard case .number(let next) = page["next"] else { return }
            after = "&after=\(next)"
        }
    }

    private static func time(_ date: JSONValue) -> String {
        LocalTime.text(Int64(date.number ?? 0))
    }
}

/// The history of a push, in words for people.
enum PushHistoryText {
    /// `push 41 of shard-7 came 14:22:01 and matched 3 widgets: sent 2, spacing 1`; `now` is in
    /// seconds since 1970, nil for the clock's.
    static func summary(_ history: JSONValue, now: Int64? = nil) -> String {
        let counts = history["outcomes"].counters.map { "\($0.name) \(Int($0.value))" }
        let matched = Int(history["matched"].number ?? 0)
        let widgets = matched == 1 ? "1 widget" : matched == 0 ? "no widget" : "\(matched) widgets"
        let start =
            "push \(history["seq"].text) of "
            + "\(DisplayText.printable(history["producer"].string ?? "")) came "
            + "\(time(history["at"], now: now) ?? "") and matched \(widgets)"
        return counts.isEmpty ? start : "\(start): \(counts.joined(separator: ", "))"
    }

    /// `w1 on d-1: sent 14:27:01, first put off (spacing)`.
    static func line(_ widget: JSONValue, now: Int64? = nil) -> String {
        let phrase = OutcomePhrase(
            outcome: widget["outcome"].string ?? "",
            until: widget["until"].number.map { Int64($0) },
            why: widget["why"].string,
            now: now
        )
        let names = DisplayText.printable(
            "\(widget["widget"].string ?? "") on \(widget["device"].string ?? "")"
        )
        let at = time(widget["at"], now: now).map { ", \($0)" } ?? ""
        let first = widget["first"].string.map { "; at first \($0)" } ?? ""
        return "\(names): \(phrase.text)\(at)\(first)"
    }

    private static func time(_ date: JSONValue, now: Int64?) -> String? {
        guard let number = date.number else { return nil }
        if let now { return LocalTime.text(Int64(number), now: now) }
        return LocalTime.text(Int64(number))
    }
}
