import AdminClient
import CommandSupport

/// What went wrong with a request, in sentences that name the server and what to do.
extension AdminAddress {
    /// Why the server refuses a request: the `detail` of its answer, or else the status.
    func problem(in answer: AdminReply) -> String {
        if answer.status == 401 {
            return isTokenGiven
                ? "the admin server needs a token: it refuses this one"
                : "the admin server needs a token: give --token-file"
        }
        return problemDetail(answer.body) ?? "status \(answer.status)"
    }

    /// Why there is no answer. If something else may listen there, this asks what, which takes
    /// about a second.
    func problem(_ error: AdminClientError) -> String {
        switch error {
        case .broken, .timedOut, .unreachable:
            if let sentence = PortProbe.service(at: endpoint)?.sentence(forAdminClientOf: endpoint)
            {
                return sentence
            }
        case .tooLarge, .closed: break
        }
        return "\(self): \(error)"
    }
}

/// A request that got no answer, as a sentence that names the server.
struct NoAdminAnswer: Error, CustomStringConvertible {
    /// The sentence, without a full stop.
    let description: String
}
