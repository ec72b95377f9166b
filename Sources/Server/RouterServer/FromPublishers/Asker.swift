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

    /// Says what became of pushes: a refusal if all of them were refused. To be called once, as
    /// `refuse`, in place of it.
    func answer(_ pushes: PushesBody) {
        switch self {
        case .operator(let entry): entry.answer(AdminAnswer(pushes))
        case .publisher(let exchange): exchange.answer(PublishAnswer(pushes))
        }
    }

    /// Refuses pushes.
    func refuse(_ problem: AdminProblem) {
        switch self {
        case .operator(let entry): entry.answer(.problem(problem))
        case .publisher(let exchange): exchange.answer(PublishAnswer(problem))
        }
    }
}

@available(*, unavailable)
extension Asker: Sendable {}
