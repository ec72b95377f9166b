internal import Basics
package import FrameCodec
internal import HTTPMessages

/// What a request is for: pushes of an app with their parameters, what became of some, or a report
/// of a device.
///
/// A class, because a request has one from its head to its end.
package final class PublishTarget {
    /// A frame of a device that holds no session.
    package struct Report: Equatable, Sendable {
        /// The device's id.
        package let device: String
        /// Which of its frames the body is of.
        package let type: FrameType
    }

    /// A question about pushes that were accepted.
    package enum Lookup: Equatable, Sendable {
        /// Which pushes a request or an event has led to.
        case list
        /// What became of a push of a producer.
        case history(producer: String)
    }

    /// The app's id.
    package let app: String
    /// The names in the path; the first one is the app.
    let names: [String]
    /// The report; nil if the request has none.
    package let report: Report?
    /// The question; nil if the request has none.
    package let lookup: Lookup?
    /// The role in which the sender was let in.
    package private(set) var role = Peer.publisher
    /// Who sends the pushes.
    private(set) var sender = PublishSender.anyone
    /// The media type of the body; nil if the head names none.
    let mediaType: String?
    /// The first parameters of the query, decoded.
    let arguments: [(name: String, value: String)]
    /// Whether the query has more than `parameterLimit`.
    private let hasMore: Bool

    /// The most parameters that are decoded. One of them may be needed to judge the credential, so
    /// that they are read before it; a query with more is refused, but not before either.
    static var parameterLimit: Int { 16 }

    /// The producer that is named, for which its sender must be allowed to speak; nil for none. The
    /// router's own belong to senders in another way (`PublishSender.owns`).
    var producer: String? {
        if report != nil { return nil }
        guard case .history(let producer) = lookup else { return query("producer") }
        return HelloMessage.isReserved(producer) ? nil : producer
    }

    /// The names of the parameters that there are.
    private var parameters: [String] {
        switch lookup {
        case .list: ["key", "source", "id", "after", "limit"]
        case .history: ["after", "limit"]
        case nil: report == nil ? ["producer", "seq"] : []
        }
    }

    /// Reads the query of a request. The names in the path are the app and, of a report, the
    /// device, or the producer and the number of a push.
    ///
    /// - Throws: 400 if the app, the device or the producer is no identifier.
    init(
        _ names: [String],
        for operation: PublishRoute.Operation,
        head: RequestHead
    ) throws(AdminProblem) {
        app = names[0]
        self.names = names
        var (report, lookup): (Report?, Lookup?)
        switch operation {
        case .report(let type): report = Report(device: names[1], type: type)
        case .history: lookup = .history(producer: names[1])
        case .pushes where head.method != .post: lookup = .list
        case .pushes, .document: break
        }
        self.report = report
        self.lookup = lookup
        var arguments: [(name: String, value: String)] = []
        hasMore = !head.visitArguments(Self.parameterLimit) { name, value in
            arguments.append(
                (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            )
        }
        self.arguments = arguments
        mediaType = head.header("Content-Type").flatMap { MediaType.name(in: $0) }
        try AdminProblem.checkIdentifier(app, as: "the app")
        if let report { try AdminProblem.checkIdentifier(report.device, as: "the device") }
        if case .history(let producer) = lookup {
            try AdminProblem.checkIdentifier(producer, as: "the producer", isStored: true)
        } else if let producer {
            try AdminProblem.checkIdentifier(producer, as: "the parameter producer")
        }
    }

    /// Says as whom its sender was let in.
    func admit(_ sender: PublishSender, as role: Peer) { (self.role, self.sender) = (role, sender) }

    /// The value of the first parameter of this name; nil if there is none.
    func query(_ name: String) -> String? {
        if arguments.isEmpty { return nil }
        return arguments.first { $0.name == name }?.value
    }

    /// Refuses unknown and repeated parameters: ignoring them would hide a misspelt name.
    var problem: AdminProblem? {
        if hasMore {
            return .parameterInvalid(
                "the query has more than \(Self.parameterLimit) parameters"
            )
        }
        // Nearly all have none, and nothing is to be allocated for these.
        if arguments.isEmpty { return nil }
        return AmbiguousRequest.problem(arguments: arguments.map(\.name), known: parameters)
    }
}
