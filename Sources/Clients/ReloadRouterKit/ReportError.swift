public import Foundation

/// Why a report did not reach the router, or was refused by it.
public enum ReportError: Error, Hashable, Sendable {
    /// What is to be reported, or the router's address, cannot be sent; the text says why.
    case invalid(String)
    /// The router cannot be reached, or the connection broke; the text is the system's reason.
    case unreachable(String)
    /// The server at the router's address has not proved that it is the router; the text is the
    /// system's reason.
    case untrusted(String)
    /// The router refused the report, with its code, such as `token-invalid`, and its sentence. The
    /// code is empty if the answer is none of a router.
    case refused(status: Int, code: String, message: String)
    /// The answer is not one of a router; the text says why.
    case answerInvalid(String)
    /// The closure that provides tokens has thrown an error, which the text is.
    case tokenUnavailable(String)
    /// The router has asked to be left alone until this date (`Retry-After`), which is beyond the
    /// time of the call.
    case postponed(until: Date)
    /// The storage cannot be written; the text says why. Nothing was sent.
    case storageFailing(String)
    /// No widget is registered that looks as the timeline's.
    case notRegistered
    /// The task was cancelled.
    case cancelled

    /// Whether the same may succeed later with nothing changed: true for faults of the network and
    /// where the router says so.
    public var isTemporary: Bool {
        switch self {
        case .unreachable, .postponed: true
        // 501 and 505 say that the server does not know such requests.
        case .refused(let status, _, _):
            status == 408 || status == 429 || status >= 500 && status != 501 && status != 505
        case .invalid, .untrusted, .answerInvalid, .tokenUnavailable, .storageFailing,
            .notRegistered, .cancelled:
            false
        }
    }
}

extension ReportError: CustomStringConvertible {
    /// One sentence for people to read.
    public var description: String {
        switch self {
        case .invalid(let reason): reason
        case .unreachable(let reason): "the router cannot be reached: \(reason)"
        case .untrusted(let reason): "the router has not proved itself: \(reason)"
        case .refused(let status, let code, let message): "\(status) \(code): \(message)"
        case .answerInvalid(let reason): "the answer is not one of a router: \(reason)"
        case .tokenUnavailable(let reason): "there is no token: \(reason)"
        case .postponed(let date): "the router asks to be left alone until \(date)"
        case .storageFailing(let reason): "the registration cannot be remembered: \(reason)"
        case .notRegistered: "no widget is registered that looks as the timeline's"
        case .cancelled: "the task was cancelled"
        }
    }
}

/// One attempt's failure, with what decides on another one.
struct Failure: Error {
    let error: ReportError
    /// How long the router asks to be left alone.
    var retryAfter: Duration?
    /// Whether the router may have applied the report nevertheless.
    var mayBeApplied = false

    init(_ error: ReportError, retryAfter: Duration? = nil, mayBeApplied: Bool = false) {
        self.error = error
        self.retryAfter = retryAfter
        self.mayBeApplied = mayBeApplied
    }
}
