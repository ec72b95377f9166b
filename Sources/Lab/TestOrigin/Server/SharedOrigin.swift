internal import Basics
internal import HTTPServing
internal import Platform

/// The origin as two threads share it: the HTTP server's thread, which receives requests, and one
/// that sends the answers that are due later.
final class SharedOrigin: HTTPHandler, @unchecked Sendable {
    // Unchecked: all `var`s are used under the monitor.
    private let monitor = Monitor()
    private var state: OriginState
    private var delayed = DelayedAnswers()
    private var isStopping = false

    /// The most answers that are made at a time while the monitor is held.
    private static var answersAtATime: Int { 256 }

    init(_ model: OriginModel, content: OriginContent) {
        state = OriginState(model, content: content, start: .now)
    }

    var counts: OriginCounts { monitor.locked { state.counts } }

    /// Changes resources as a push says; see `OriginContent.apply`.
    func apply(_ payload: [UInt8]) throws(JSONError) -> Int {
        let outcome = monitor.locked { () -> Result<Int, JSONError> in
            do throws(JSONError) {
                return .success(try state.apply(payload))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    // MARK: - The server's thread

    func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        let response = monitor.locked { () -> HTTPResponse? in
            switch state.receive(request, at: .now) {
            case .now(let response): return response
            case .later(let time):
                let isFirst = delayed.next == nil
                delayed.append(
                    DelayedAnswers.Entry(time: time, path: request.path, responder: responder)
                )
                // A later entry does not change when the other thread must wake.
                if isFirst { monitor.wake() }
                return nil
            }
        }
        if let response { responder.send(response) }
    }

    // MARK: - The thread that answers later

    /// Sends answers as they come due, until `stop`; the second thread runs this.
    func sendDelayedAnswers() {
        while let batch = nextBatch() {
            for (responder, response) in batch { responder.send(response) }
        }
    }

    /// Lets `sendDelayedAnswers` return.
    func stop() {
        monitor.locked { isStopping = true }
        monitor.wake()
    }

    /// Waits until answers are due and returns them; nil once the origin is stopping.
    private func nextBatch() -> [(HTTPResponder, HTTPResponse)]? {
        monitor.locked {
            var batch: [(HTTPResponder, HTTPResponse)] = []
            while !isStopping {
                let now = ExactTime.now
                while batch.count < Self.answersAtATime, let entry = delayed.take(at: now) {
                    batch.append((entry.responder, state.answer(entry.path, at: now)))
                }
                if !batch.isEmpty { return batch }
                if let next = delayed.next {
                    // Rounded up to whole milliseconds, so that the thread does not wake before the
                    // time.
                    monitor.wait(until: MonotonicTime(next + Nanoseconds(rawValue: 999_999)))
                } else {
                    monitor.wait()
                }
            }
            return nil
        }
    }
}
