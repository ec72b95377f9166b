internal import AdminAPI
internal import Credentials
internal import RouterCore

/// What an app file says and seldom means, in sentences.
struct AppFileNotes: Sendable {
    /// The most sentences about what is for trials that the status has; further ones are in the log
    /// alone.
    static var statusLimit: Int { 16 }
    /// The most members of rules of which it is watched whether pushes have them; those of later
    /// kinds are not.
    static var memberLimit: Int { 1_024 }
    /// The most sentences of a kind that are logged when a file comes into force.
    static var logLimit: Int { 64 }

    /// What is for trials, by app.
    let trials: [(app: String, warning: String)]
    /// What has no effect.
    let hints: [KindHint]
    /// The members that rules name.
    let members: [ExpectedMember]
    /// All of these, and closed roles.
    let warnings: [String]

    /// The sentences about what is for trials that the status has.
    var statusWarnings: [String] {
        trials.prefix(Self.statusLimit).map { "\($0.app): \($0.warning)" }
    }

    /// What an app file says that says nothing.
    init() { (trials, hints, members, warnings) = ([], [], [], []) }

    init(_ file: AppFile) {
        trials = file.access.flatMap { app in app.warnings.map { (app.app, $0) } }
        hints = file.catalog.kindHints
        members = file.catalog.expectedMembers(limit: Self.memberLimit)
        warnings = file.warnings
    }
}
