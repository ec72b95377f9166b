package import Basics
internal import ReloadScheduling

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
    /// What became of it: the name of a `DecisionReason`; `ready` if its reload is about to be
    /// sent, `undecided` if the push has yet to be applied to it, or `unknown` if the decision is
    /// not kept any more.
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

/// A push that was accepted, as those see it who may ask for it.
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

/// What became of a push for a widget.
struct PushedOutcome {
    /// What a history calls it.
    enum Name {
        case decided(DecisionReason)
        /// Its reload is about to be sent.
        case ready
        /// The push has yet to be applied to it: its fan-out is under way.
        case undecided
        /// The decision is not kept any more.
        case unknown

        static var all: [Name] {
            DecisionReason.allCases.map { .decided($0) } + [.ready, .undecided, .unknown]
        }

        /// Its place among the others.
        var index: Int {
            switch self {
            case .decided(let reason): Int(reason.rawValue)
            case .ready: 29
            case .undecided: 30
            case .unknown: 31
            }
        }

        var text: String {
            switch self {
            case .decided(let reason): reason.name
            case .ready, .undecided, .unknown: "\(self)"
            }
        }
    }

    var name: Name
    var at: WallTime?
    var until: WallTime?
    /// What was decided when the push came; nil if nothing was, or that is not kept.
    var first: DecisionReason?

    /// The reason of the decision that says it; nil if none does.
    var reason: DecisionReason? {
        if case .decided(let reason) = name { reason } else { nil }
    }
}

/// A list of an app's pushes while it is made, some records at a time.
package struct PushWalk {
    let app: AppID
    /// The producer whose pushes are listed; nil for all.
    let producer: ProducerID?
    /// What the request or the event is called whose pushes are listed; nil for all.
    let name: RequestKey?
    let limit: Int
    /// Whether the page is the first one.
    let isFirst: Bool
    /// The fan-out number after that of the next push to examine.
    var end: UInt64
    /// The pushes found so far, the newest first.
    package internal(set) var pushes: [PushView] = []
    /// The number after which the next page begins; nil if there are no more.
    package internal(set) var next: UInt64?
}

/// The history of a push while it is made, some records at a time.
package struct HistoryWalk {
    let app: String
    let producer: ProducerID
    let producerName: String
    let seq: UInt64
    let limit: Int
    /// Whether the page is the first one, which counts all widgets.
    let isFirst: Bool
    /// The fan-out number after that of the next push to examine; once it is found, its own.
    var number: UInt64
    var push: LoggedPush?
    /// The position of the next match to examine.
    var position: Int
    /// How many widgets have each outcome so far, and each kind.
    var outcomes = OutcomeCounts()
    var kinds: [KindID: Int] = [:]
    /// What became of the push; nil until the push is found.
    package internal(set) var history: PushHistory?

    /// The number of widgets with each outcome that a history names.
    struct OutcomeCounts {
        private var counts = InlineArray<32, Int>(repeating: 0)

        /// How many widgets have an outcome.
        subscript(outcome: PushedOutcome.Name) -> Int {
            get { counts[outcome.index] }
            set { counts[outcome.index] = newValue }
        }

        /// The number of all widgets.
        var total: Int { counts.indices.reduce(0) { $0 + counts[$1] } }

        /// Those that are not 0, by the outcomes' names.
        var named: [String: Int] {
            var named: [String: Int] = [:]
            for outcome in PushedOutcome.Name.all where self[outcome] > 0 {
                named[outcome.text] = self[outcome]
            }
            return named
        }
    }
}

/// Why nothing is said of a push.
package struct HistoryRefusal: Error, Equatable {
    /// A code for programs.
    package enum Code: String {
        /// No app of the name is declared.
        case appUnknown = "app-unknown"
        /// The app has no producer of the name.
        case producerUnknown = "producer-unknown"
        /// No such push was accepted, as far as is known.
        case pushUnknown = "push-unknown"
        /// The push was accepted, and is not kept any more.
        case pushForgotten = "push-forgotten"
    }

    /// The code.
    package var code: Code
    /// A sentence for people.
    package var detail: String
}
