internal import Basics
package import FrameCodec
internal import HTTPMessages

/// What a request is for: pushes of an app with their parameters, or a report of a device.
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

    /// The app's id.
    package let app: String
    /// The report; nil if the request has pushes.
    package let report: Report?
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

    /// The producer that is named; nil for none.
    var producer: String? { report == nil ? query("producer") : nil }

    /// The names of the parameters that there are.
    private var parameters: [String] { report == nil ? ["producer", "seq"] : [] }

    /// Reads the query of a request. The names in the path are the app and, of a report, the
    /// device; `type` is the frame that is reported, nil for pushes.
    ///
    /// - Throws: 400 if the app, the device or the producer is no identifier.
    init(_ names: [String], reports type: FrameType?, head: RequestHead) throws(AdminProblem) {
        app = names[0]
        report = type.map { Report(device: names[1], type: $0) }
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
        if let producer { try AdminProblem.checkIdentifier(producer, as: "the parameter producer") }
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
