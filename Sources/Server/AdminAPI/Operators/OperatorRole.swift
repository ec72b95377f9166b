/// What an operator may do. Each role may do all that those before it may.
package enum OperatorRole: String, CaseIterable, Comparable, Sendable {
    /// Reads everything, and changes nothing.
    case viewer
    /// Also pauses apps, makes backups, drains the router, and takes slots.
    case `operator`
    /// Also replaces the app file, and with it who may connect, and sends pushes.
    case admin

    /// Whether a role may do less than another.
    package static func < (left: OperatorRole, right: OperatorRole) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .operator: 1
        case .admin: 2
        }
    }
}
