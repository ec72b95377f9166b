/// For tests only: who sets a timer keeps what it is for.
extension TimingWheel {
    /// When a timer is due: at the tick asked for, or at what was `now` if that was not before.
    package func deadline(of id: UInt32) -> UInt64? {
        if !deadlines.has(id) { return nil }
        let word = deadlines[id]
        if word == .none { return nil }
        if let place = word.place { return parked[place].tick }
        return now + word.distance(from: now)
    }
}
