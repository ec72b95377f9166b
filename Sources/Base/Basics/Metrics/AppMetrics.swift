/// Counters of one app since the router started.
@usableFromInline
package struct AppCounts: Equatable, Sendable, BitwiseCopyable {
    /// The number of accepted pushes.
    @usableFromInline package var pushes: UInt64 = 0
    /// The number of widgets that accepted pushes matched; one counts again for each push.
    @usableFromInline package var matched: UInt64 = 0
    /// The number of RELOADs sent.
    @usableFromInline package var reloads: UInt64 = 0
    /// The number of frames that were refused.
    @usableFromInline package var rejected: UInt64 = 0

    /// Counters that are zero.
    @usableFromInline package init() {}

    /// Adds each counter of `right` to that of `left`.
    package static func += (left: inout AppCounts, right: AppCounts) {
        left.pushes += right.pushes
        left.matched += right.matched
        left.reloads += right.reloads
        left.rejected += right.rejected
    }
}

/// The counters of all apps, by app number.
@usableFromInline
package struct AppMetrics {
    @usableFromInline var counts: ContiguousArray<AppCounts> = []

    /// The counters of no app; `reserve` adds some.
    package init() {}

    /// Adds counters until there are `count` of them.
    package mutating func reserve(_ count: Int) {
        while counts.count < count { counts.append(AppCounts()) }
    }

    /// Sets all counters to zero.
    package mutating func reset() {
        for app in counts.indices { counts[app] = AppCounts() }
    }

    /// The counters of an app, for which `reserve` must have added them.
    @inlinable
    package subscript(app: Int) -> AppCounts {
        @inline(__always) _read { yield counts[app] }
        @inline(__always) _modify { yield &counts[app] }
    }
}
