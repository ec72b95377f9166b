import Platform

/// How long PINGs, each due at some time, waited for their answers.
final class PingTimes {
    /// When those were due that are not answered: in their order, from `head` on.
    private var due: [Int64] = []
    private var head = 0
    var isAllAnswered: Bool { head == due.count }
    /// The longest that one has waited, in ns, since `forgetEarlier`, and between the two last ones.
    private var longest: Int64 = 0
    private var longestBefore: Int64 = 0

    func sent(due time: Int64) {
        due.append(time)
    }

    func answered() {
        longest = max(longest, monotonicNanoseconds() - due[head])
        head += 1
        if head == due.count {
            due.removeAll(keepingCapacity: true)
            head = 0
        }
    }

    /// Forgets those that were answered before this was called last.
    func forgetEarlier() {
        (longestBefore, longest) = (longest, 0)
    }

    /// The longest wait until now, of one that is not answered too; then begins anew.
    func takeLongest() -> Int64 {
        defer { (longestBefore, longest) = (0, 0) }
        let waiting = head == due.count ? 0 : monotonicNanoseconds() - due[head]
        return max(longestBefore, longest, waiting)
    }
}
