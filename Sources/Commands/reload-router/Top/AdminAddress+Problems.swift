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
        if let detail = problemDetail(answer.body) { return detail }
        // A server that speaks TLS answers so to a request without.
        if answer.status == 400, !isSecure, let sentence = otherService() { return sentence }
        return "status \(answer.status)"
    }

    /// What else listens there, as a sentence; nil if it is an admin server, or nothing.
    private func otherService() -> String? {
        PortProbe.service(at: endpoint)?.sentence(forAdminClientOf: endpoint, isSecure: isSecure)
    }

    /// Why there is no answer. If something else may listen there, this asks what, which takes
    /// about a second.
    func problem(_ error: AdminClientError) -> String {
        switch error {
        case .broken, .timedOut, .unreachable, .security:
            if let sentence = otherService() { return sentence }
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
