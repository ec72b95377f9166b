package import Basics
internal import WidgetMatching

/// What the courses of apps and kinds are made of.
extension Router {
    /// The app or the kind of these names.
    ///
    /// - Throws: `app-unknown` or `kind-unknown`.
    package func courseSubject(
        app: String,
        kind: String?
    ) throws(ProtocolError) -> CourseSubject {
        let app = try declaredApp(app)
        guard let kind else { return .app(app) }
        return .kind(
            try kind.withByteView { (name) throws(ProtocolError) in
                try state.reloads.catalog.declaredKind(of: app, named: name)
            }
        )
    }

    /// What the declared apps have done since the start, and then what their kinds have, at most
    /// `AppCourses.subjectLimit` together; apps first, in the order in which they were declared.
    package var courseReadings: [(subject: CourseSubject, counts: CourseCounts)] {
        let limit = AppCourses.subjectLimit
        var readings: [(subject: CourseSubject, counts: CourseCounts)] = []
        for app in state.reloads.catalog.apps.ids where readings.count < limit {
            if !state.reloads.catalog.apps[app].isDeclared { continue }
            readings.append((.app(app), courseCounts(of: .app(app))))
        }
        for kind in state.reloads.catalog.kinds.ids where readings.count < limit {
            if !state.reloads.catalog.kinds[kind].isDeclared { continue }
            readings.append((.kind(kind), courseCounts(of: .kind(kind))))
        }
        return readings
    }

    /// What an app or a kind has done since the start, and what is stored of it now.
    package func courseCounts(of subject: CourseSubject) -> CourseCounts {
        var counts = CourseCounts()
        switch subject {
        case .app(let app):
            let counted = outbox.observer.appMetrics[app]
            counts.pushes = counted.pushes
            counts.matched = counted.matched
            counts.reloads = counted.reloads
            counts.rejected = counted.rejected
            for kind in state.reloads.catalog.apps[app].kindsByName.values {
                counts.putOff += kindCounts(kind).putOff
            }
            let stored = state.reloads.delivery.counts(of: app)
            counts.devices = UInt64(stored.devices)
            counts.widgets = UInt64(stored.widgets)
        case .kind(let kind):
            counts.reloads = kindCounts(kind).reloads
            counts.putOff = kindCounts(kind).putOff
            counts.widgets = UInt64(state.matcher.index.widgetCount(of: kind))
        }
        return counts
    }

    private func kindCounts(_ kind: KindID) -> KindCounts {
        outbox.observer.kindMetrics[kind, default: KindCounts()]
    }
}
