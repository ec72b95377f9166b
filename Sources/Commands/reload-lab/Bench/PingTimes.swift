import Platform
import Times

/// Measures how long PINGs wait for their answers, from when each was due.
final class PingTimes {
    /// When the PINGs without an answer were due, in order, from `head` on.
    private var due: [ExactTime] = []
    private var head = 0
    /// True if no PING is without an answer.
    var isAllAnswered: Bool { head == due.count }
    /// The longest wait since the last `forgetEarlier` or `takeLongest`.
    private var longest = Nanoseconds.zero
    /// The longest wait between the last two calls of `forgetEarlier`.
    private var longestBefore = Nanoseconds.zero

    /// Records a PING that was due at `time`.
    func sent(due time: ExactTime) {
        due.append(time)
    }

    /// Records the answer to the first PING that has none.
    func answered() {
        longest = max(longest, ExactTime.now - due[head])
        head += 1
        if head == due.count {
            due.removeAll(keepingCapacity: true)
            head = 0
        }
    }

    /// Makes `takeLongest` leave out waits that ended before the previous call of this method.
    func forgetEarlier() {
        (longestBefore, longest) = (longest, .zero)
    }

    /// Returns the longest wait so far, including that of a PING that is still unanswered,
    /// and starts over.
    func takeLongest() -> Nanoseconds {
        defer { (longestBefore, longest) = (.zero, .zero) }
        let waiting = head == due.count ? .zero : .now - due[head]
        return max(longestBefore, longest, waiting)
    }
}
