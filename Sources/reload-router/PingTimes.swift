/// How long PINGs, each due at some time, waited for their answers.
final class PingTimes {
    /// When those were due that are not answered: in their order, from `head` on.
    private var due: [Int64] = []
    private var head = 0
    var isAllAnswered: Bool { head == due.count }
    /// The longest that one has waited, in ns, since `takeLongest`.
    private var longest: Int64 = 0

    func sent(due time: Int64) {
        due.append(time)
    }

    func answered() {
        longest = max(longest, monotonicTime() - due[head])
        head += 1
        if head == due.count {
            due.removeAll(keepingCapacity: true)
            head = 0
        }
    }

    /// The longest wait until now, of one that is not answered too; then begins anew.
    func takeLongest() -> Int64 {
        defer { longest = 0 }
        if head == due.count { return longest }
        return max(longest, monotonicTime() - due[head])
    }
}
