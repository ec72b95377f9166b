/// For checks and tests only: the router itself need not ask for a deadline that it has set.
extension TimingWheel {
    /// When a timer is due: the tick it was scheduled for, or the `now` of that call if that was
    /// later; nil if it is not running.
    package func deadline(of id: TimerID) -> UInt64? {
        if !deadlines.has(id) { return nil }
        let word = deadlines[id]
        if word == .none { return nil }
        if let parkedID = word.parkedID { return parked[parkedID].tick }
        return now + word.distance(from: now)
    }
}
