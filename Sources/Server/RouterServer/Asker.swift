internal import AdminAPI

/// Who has asked for pushes, and gets one answer.
enum Asker {
    /// An operator, by the admin server.
    case `operator`(AdminMailbox.Entry)
    /// A publisher over HTTP.
    case publisher(PublishExchange)

    /// Who pays for what the loop does for the request.
    var payer: CallbackPayer {
        switch self {
        case .operator(let entry): .operator(entry.group)
        case .publisher(let exchange): exchange.payer
        }
    }

    /// Sends the answer; to be called once. What became of pushes is a problem if all of them were
    /// refused.
    func answer(_ answer: AdminAnswer) {
        switch self {
        case .operator(let entry):
            if case .body(_, let body, _) = answer, let pushes = body as? PushesBody {
                entry.answer(AdminAnswer(pushes))
            } else {
                entry.answer(answer)
            }
        case .publisher(let exchange): exchange.answer(PublishAnswer(answer))
        }
    }
}

@available(*, unavailable)
extension Asker: Sendable {}
