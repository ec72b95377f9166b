import Times

// In tests a number next to a time's name is clear enough; `Sources` has no literals for times.

extension Milliseconds: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension MonotonicTime: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension WallTime: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension ScheduleTime: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}
