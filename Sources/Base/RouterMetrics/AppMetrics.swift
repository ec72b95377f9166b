/// What was counted of one app since the start.
@usableFromInline
package struct AppCounts: Equatable, Sendable, BitwiseCopyable {
    /// That were accepted.
    @usableFromInline package var pushes: UInt64 = 0
    /// Widgets that they concerned.
    @usableFromInline package var matched: UInt64 = 0
    /// RELOADs that were sent.
    @usableFromInline package var reloads: UInt64 = 0

    @usableFromInline package init() {}

    package static func += (left: inout AppCounts, right: AppCounts) {
        left.pushes += right.pushes
        left.matched += right.matched
        left.reloads += right.reloads
    }
}

/// Counters of each app, by its number.
@usableFromInline
package struct AppMetrics {
    @usableFromInline var counts: ContiguousArray<AppCounts> = []

    package init() {}

    /// Makes room for so many apps.
    package mutating func reserve(_ count: Int) {
        while counts.count < count { counts.append(AppCounts()) }
    }

    /// Counts from zero again.
    package mutating func reset() {
        for app in counts.indices { counts[app] = AppCounts() }
    }

    /// The app must have room.
    @inlinable
    package subscript(app: Int) -> AppCounts {
        @inline(__always) _read { yield counts[app] }
        @inline(__always) _modify { yield &counts[app] }
    }
}
