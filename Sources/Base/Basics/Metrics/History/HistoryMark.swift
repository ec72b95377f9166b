/// Something that happened once, at a time: an operator looks for it when a chart changes its
/// course.
package struct HistoryMark: Equatable, Sendable, BitwiseCopyable {
    /// What a mark is of. The names are those of the admin API.
    package enum Event: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        /// The process before this one had its store until then; it ended or was killed.
        case end
        /// The router began to serve.
        case start
        /// Another app file is in force.
        case appFile
        /// The router was asked to drain.
        case drain
        /// An operator has paused an app.
        case pause
        /// An operator has resumed an app.
        case resume

        /// The name in answers.
        package var name: String { "\(self)" }
    }

    /// What happened.
    package var event: Event
    /// When it happened.
    package var date: WallTime

    /// Makes a mark.
    package init(_ event: Event, date: WallTime) {
        self.event = event
        self.date = date
    }
}
