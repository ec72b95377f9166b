internal import LibuvLoop

/// Failures that are known at once, and reported in a later iteration of the loop, so that a
/// completion never runs before `send` returns.
///
/// It keeps itself alive until all are reported: the client may be gone by then.
final class LateFailures: TimerOwner {
    private let loop: Loop
    private var failures: [(completion: FetchCompletion, error: HTTPFetchError)] = []
    /// Nil while there is nothing to report.
    private var timer: LoopTimer?
    /// A reference to itself while there are failures to report.
    private var me: LateFailures?

    init(_ loop: Loop) {
        self.loop = loop
    }

    /// Reports a failure in a later iteration of the loop.
    func add(_ completion: @escaping FetchCompletion, _ error: HTTPFetchError) {
        failures.append((completion, error))
        if timer != nil { return }
        me = self
        do throws(UVError) {
            let timer = try LoopTimer(loop, owner: self)
            self.timer = timer
            try timer.start(afterMilliseconds: 0)
        } catch {
            preconditionFailure("a loop takes any timer: \(error)")
        }
    }

    func timerFired(_ timer: LoopTimer) {
        timer.close()
        self.timer = nil
        me = nil
        let all = failures
        failures = []
        for one in all { one.completion(.failure(one.error)) }
    }
}

@available(*, unavailable)
extension LateFailures: Sendable {}
