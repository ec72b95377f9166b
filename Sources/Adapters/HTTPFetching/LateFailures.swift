internal import Basics
internal import HTTPMessages
internal import LibuvLoop

/// Called once with a request's outcome.
typealias FetchCompletion = (Result<HTTPAnswer, HTTPFetchError>) -> Void

/// Reports failures that are known at once in a later iteration of the loop, so that a completion
/// never runs before `send` returns.
///
/// The client may be released before that: the timer keeps this object alive.
final class LateFailures: TimerOwner {
    private let loop: Loop
    private var failures: [(completion: FetchCompletion, error: HTTPFetchError)] = []
    /// Fires in the next iteration of the loop, to report the failures; nil while there are none.
    private var timer: LoopTimer?

    init(_ loop: Loop) { self.loop = loop }

    /// Reports a failure in a later iteration of the loop.
    func add(_ completion: @escaping FetchCompletion, error: HTTPFetchError) {
        assert((timer == nil) == failures.isEmpty, "a timer waits for no failure, or the reverse")
        failures.append((completion, error))
        if timer != nil { return }
        do throws(UVError) {
            let timer = try LoopTimer(loop, owner: self)
            self.timer = timer
            try timer.start(after: .zero)
        } catch {
            preconditionFailure("a loop takes any timer: \(error)")
        }
    }

    func timerFired(_ timer: LoopTimer) {
        assert(timer === self.timer && !failures.isEmpty, "the timer has nothing to report")
        timer.close()
        self.timer = nil
        let all = failures
        failures = []
        for one in all { one.completion(.failure(one.error)) }
    }
}
