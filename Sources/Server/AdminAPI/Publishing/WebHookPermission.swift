internal import Basics
internal import HTTPMessages

/// What a sender of events is answered that asks, before it sends any, whether it may: by OPTIONS
/// with the header `WebHook-Request-Origin` (CloudEvents' specification of web hooks, section 4).
/// Azure's Event Grid asks so, for example.
///
/// A permission says only that events from there are expected here. Each of them needs a credential
/// all the same.
package struct WebHookPermission: Equatable, Sendable {
    /// The origin as the sender names it.
    let origin: String
    /// Whether it has asked how much it may send.
    let namesRate: Bool

    /// Reads what a request with OPTIONS asks for; nil if it asks for no permission. `allowed` are
    /// the origins that may send events.
    ///
    /// - Throws: 403 `origin-foreign` if its origin is not among them.
    init?(_ head: RequestHead, allowed: WebHookOrigins) throws(AdminProblem) {
        guard let origin = head.header("WebHook-Request-Origin")?.string, !origin.isEmpty else {
            return nil
        }
        if !allowed.contains(origin) {
            throw AdminProblem(
                403,
                code: "origin-foreign",
                detail: "\(quotation(origin)) is not among the origins of --webhook-origins"
            )
        }
        self.origin = origin
        namesRate = head.header("WebHook-Request-Rate") != nil
    }

    /// Writes the headers that give it. There is no fixed rate: a sender that is too fast for what
    /// it shares with others gets 429.
    func write(to writer: inout AnswerWriter) {
        writer.header("WebHook-Allowed-Origin", text: origin)
        if namesRate { writer.header("WebHook-Allowed-Rate", value: "*") }
    }
}

/// The origins whose events may be sent to the listener for publishers, by their names.
package struct WebHookOrigins: Equatable, Sendable {
    /// The names in lower case; nil for all.
    private let names: Set<String>?

    /// All origins.
    package static let all = WebHookOrigins(names: nil)

    private init(names: Set<String>?) { self.names = names }

    /// The origins with these names, of any case; `*` stands for all. Nil if one has a blank or a
    /// control character, or is empty.
    package init?(_ texts: [String]) {
        let isValid = texts.allSatisfy { text in
            !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        }
        if !isValid { return nil }
        names = texts.contains("*") ? nil : Set(texts.map { $0.lowercased() })
    }

    /// Whether an origin is one of them.
    func contains(_ origin: String) -> Bool { names?.contains(origin.lowercased()) ?? true }
}
