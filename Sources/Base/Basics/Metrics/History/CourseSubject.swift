/// An app or a kind, of which a router keeps the course: by its names, because its numbers are
/// those of one process.
package struct CourseSubject: Hashable, Sendable {
    /// The app's name, as UTF-8.
    package let app: [UInt8]
    /// The kind's name; nil for all that the app does.
    package let kind: [UInt8]?

    /// An app, or one of its kinds.
    package init(app: [UInt8], kind: [UInt8]? = nil) {
        self.app = app
        self.kind = kind
    }
}

/// What an app or a kind has done since the process began, and how much of it is stored.
package struct CourseReading: Sendable {
    /// What was read of.
    package let subject: CourseSubject
    /// What was read.
    package let counts: CourseCounts

    /// Makes a reading.
    package init(_ subject: CourseSubject, counts: CourseCounts) {
        self.subject = subject
        self.counts = counts
    }
}
