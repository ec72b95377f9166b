package import Basics

/// Files that SIGHUP reads again. If they are refused then, what they said before stays in force.
package struct RereadFile: Equatable, Sendable {
    /// Which files; raw values are the names in the status and in metrics.
    package enum Name: String, CaseIterable, Sendable {
        case apps
        case operators
        case certificates
    }

    /// Why the files are not in force.
    package struct Refusal: Equatable, Sendable {
        /// Where the mistake is and what would be right, as a sentence without its full stop.
        package var reason: String
        /// When they were refused first; later attempts that fail, too, do not change it.
        package var since: WallTime
    }

    /// Which files.
    package let name: Name
    /// When what is in force was read.
    package private(set) var readAt: WallTime
    /// Why the files as they were read last are not in force; nil if they are.
    package private(set) var refusal: Refusal?

    /// Files that are in force.
    package init(_ name: Name, readAt: WallTime) {
        self.name = name
        self.readAt = readAt
    }

    /// They were read again, and are in force.
    package mutating func read(at now: WallTime) {
        readAt = now
        refusal = nil
    }

    /// They were read again and refused; those of `readAt` stay in force.
    package mutating func refused(because reason: String, at now: WallTime) {
        refusal = Refusal(reason: reason, since: refusal?.since ?? now)
    }

    /// What an operator has to know; nil if the files are in force.
    package var warning: String? {
        guard let refusal else { return nil }
        return "\(name.noun) refused since \(refusal.since.rfc3339); what was read "
            + "\(readAt.rfc3339) stays in force: \(refusal.reason)"
    }
}

extension RereadFile.Name {
    /// The files as the subject of a sentence.
    fileprivate var noun: String {
        switch self {
        case .apps: "the app file is"
        case .operators: "the operators are"
        case .certificates: "the certificates are"
        }
    }
}
