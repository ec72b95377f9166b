import Platform

/// Measures how long PINGs wait for their answers, from when each was due.
final class PingTimes {
    /// When the PINGs without an answer were due, in order, from `head` on.
    private var due: [Int64] = []
    private var head = 0
    /// True if no PING is without an answer.
    var isAllAnswered: Bool { head == due.count }
    /// The longest wait in ns since the last `forgetEarlier`.
    private var longest: Int64 = 0
    /// The longest wait in ns between the last two calls of `forgetEarlier`.
    private var longestBefore: Int64 = 0

    /// Records a PING that was due at `time`, in ns.
    func sent(due time: Int64) {
        due.append(time)
    }

    /// Records the answer to the first PING that has none.
    func answered() {
        longest = max(longest, monotonicNanoseconds() - due[head])
        head += 1
        if head == due.count {
            due.removeAll(keepingCapacity: true)
            head = 0
        }
    }

    /// Starts the measurement of `takeLongest` anew at the previous call of this method: waits that
    /// ended before it no longer count.
    func forgetEarlier() {
        (longestBefore, longest) = (longest, 0)
    }

    /// Returns the longest wait so far, in ns, including that of a PING that is still unanswered,
    /// and starts over.
    func takeLongest() -> Int64 {
        defer { (longestBefore, longest) = (0, 0) }
        let waiting = head == due.count ? 0 : monotonicNanoseconds() - due[head]
        return max(longestBefore, longest, waiting)
    }
}
