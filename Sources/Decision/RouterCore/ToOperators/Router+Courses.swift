package import Basics
internal import WidgetMatching

/// What the courses of apps and kinds are made of.
extension Router {
    /// How many apps and kinds the app file declares.
    package var courseSubjectCount: Int {
        state.reloads.catalog.declaredAppCount + state.reloads.catalog.declaredKindCount
    }

    /// What the declared apps have done since the start, and then what their kinds have, at most
    /// `AppCourses.subjectLimit` together; apps first, in the order in which they were declared.
    package var courseReadings: [CourseReading] {
        let limit = AppCourses.subjectLimit
        var readings: [CourseReading] = []
        for app in state.reloads.catalog.apps.ids {
            if readings.count == limit { return readings }
            if !state.reloads.catalog.apps[app].isDeclared { continue }
            readings.append(CourseReading(subject(app), counts: counts(of: app)))
        }
        for kind in state.reloads.catalog.kinds.ids {
            if readings.count == limit { return readings }
            if !state.reloads.catalog.kinds[kind].isDeclared { continue }
            readings.append(CourseReading(subject(kind), counts: counts(of: kind)))
        }
        return readings
    }

    /// What an app or one of its kinds has done since the start, and what is stored of it now.
    ///
    /// - Throws: `app-unknown` or `kind-unknown`.
    package func courseReading(
        app: String,
        kind: String?
    ) throws(ProtocolError) -> CourseReading {
        let app = try declaredApp(app)
        guard let kind else { return CourseReading(subject(app), counts: counts(of: app)) }
        let number = try kind.withByteView { (name) throws(ProtocolError) in
            try state.reloads.catalog.declaredKind(of: app, named: name)
        }
        return CourseReading(subject(number), counts: counts(of: number))
    }

    private func subject(_ app: AppID) -> CourseSubject {
        CourseSubject(app: Array(state.reloads.catalog.apps[app].declaration.app.utf8))
    }

    private func subject(_ number: KindID) -> CourseSubject {
        let kind = state.reloads.catalog.kinds[number]
        return CourseSubject(
            app: subject(kind.app).app,
            kind: unsafe state.reloads.delivery.names.view(kind.name, count: kind.nameCount).array
        )
    }

    private func counts(of app: AppID) -> CourseCounts {
        var counts = CourseCounts()
        let counted = outbox.observer.appMetrics[app]
        counts.pushes = counted.pushes
        counts.matched = counted.matched
        counts.reloads = counted.reloads
        counts.putOff = counted.putOff
        counts.rejected = counted.rejected
        let stored = state.reloads.delivery.counts(of: app)
        counts.devices = UInt64(stored.devices)
        counts.widgets = UInt64(stored.widgets)
        return counts
    }

    private func counts(of kind: KindID) -> CourseCounts {
        var counts = CourseCounts()
        let counted = outbox.observer.kindMetrics[kind, default: KindCounts()]
        counts.pushes = counted.pushes
        counts.matched = counted.matched
        counts.reloads = counted.reloads
        counts.putOff = counted.putOff
        counts.widgets = UInt64(state.matcher.index.widgetCount(of: kind))
        return counts
    }
}
