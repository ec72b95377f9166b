package import Basics
internal import ReloadScheduling

/// A push that was accepted, as operators see it.
package struct PushView: Equatable, Sendable {
    /// The name of the producer that sent it.
    package var producer: String
    /// Its sequence number.
    package var seq: UInt64
    /// When it was accepted.
    package var at: WallTime
    /// How many widgets it matches.
    package var matched: Int
}

/// What became of a push so far: all that is known, or a page of it.
package struct PushHistory: Equatable, Sendable {
    /// The name of the push's app.
    package var app: String
    /// The push.
    package var push: PushView
    /// When the oldest push was accepted that is kept.
    package var keptSince: WallTime
    /// How many widgets have each outcome, by its name; of all together as many as it matches. Nil
    /// on later pages.
    package var outcomes: [String: Int]?
    /// How many widgets it matches of each kind, of those that are known; nil on later pages.
    package var kinds: [String: Int]?
    /// The widgets of the page that are still there.
    package var widgets: [PushedWidget] = []
    /// The position of the match after which the next page begins; nil if there are no more.
    package var next: Int?
}

/// What became of a push for one of the widgets that it matches.
package struct PushedWidget: Equatable, Sendable {
    /// The id of the widget's device.
    package var device: String
    /// The widget's id.
    package var widget: String
    /// The name of its kind.
    package var kind: String
    /// What became of it: the name of a `DecisionReason`, `ready` if its reload is about to be
    /// sent, or `unknown` if the decision is not kept any more.
    package var outcome: String
    /// When that was decided; nil for what waits, and for what is not known.
    package var at: WallTime?
    /// When its wait ends; nil if it does not wait, or that is not known.
    package var until: WallTime?
    /// What was decided when the push came, if that was something else.
    package var first: DecisionReason?
    /// Why, as a phrase for people; nil if the outcome says everything.
    package var why: String?
}

/// A list of an app's pushes while it is made, some records at a time.
package struct PushWalk {
    let app: AppID
    /// The producer whose pushes are listed; nil for all.
    let producer: ProducerID?
    /// The first bits of the key of the request whose pushes are listed; nil for all.
    let key: UInt64?
    let limit: Int
    /// The fan-out number after that of the next push to examine.
    var end: UInt64
    /// The pushes found so far, the newest first.
    package internal(set) var pushes: [PushView] = []
    /// The number after which the next page begins; nil if there are no more.
    package internal(set) var next: UInt64?
}

/// The history of a push while it is made, some records at a time.
package struct HistoryWalk {
    /// Why there is no history.
    package struct Refusal: Error, Equatable {
        /// A code for programs.
        package var code: String
        /// A sentence for people.
        package var detail: String
    }

    let app: AppID
    let producer: ProducerID
    let seq: UInt64
    let limit: Int
    /// Whether the page is the first one, which counts all widgets.
    let isFirst: Bool
    /// The fan-out number after that of the next push to examine; once it is found, its own.
    var number: UInt64
    var push: LoggedPush?
    /// The position of the next match to examine.
    var position: Int
    /// What became of the push; nil until the push is found.
    package internal(set) var history: PushHistory?
}
