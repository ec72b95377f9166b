internal import Basics
internal import Foundation
internal import RouterSimulation
internal import WidgetTimelines

/// The fetches of timeline providers from their origin.
extension FleetEngine {
    /// Sends a fetch for the first time or again.
    func ask(_ number: Int) {
        guard let fetch = fetches[number] else { return }
        if isOnline(fetch.device) {
            ports.fetch(fetch.path, number: number)
        } else {
            fetches.close(number)?.completion(.failure(.offline))
        }
    }

    /// Passes a fetch to the fleet's own origin.
    func askOrigin(_ path: String, number: Int) {
        if let answer = origin.ask(path, number: number, at: ports.exactTime) {
            fetched(number, answer: answer)
        }
    }

    /// Delivers the answers of the fleet's own origin that are due.
    func deliverAnswers() {
        let (now, shift) = (ports.exactTime, mailbox.clock?.shift ?? 0)
        while let (number, answer) = origin.answer(until: now, shift: shift) {
            fetched(number, answer: answer)
        }
    }

    /// Ends a fetch with its answer, or starts a timer for another attempt.
    func fetched(_ number: Int, answer: OriginAnswer) {
        switch answer {
        case .body(let bytes): fetches.close(number)?.completion(.success(Data(bytes)))
        case .refused(let status, let retryAfter):
            // 429 and 503 mean overload; other statuses would be the same the next time.
            let mayRetry = status == 429 || status == 503
            if mayRetry, let pause = fetches.retry(number) {
                recorder.retried()
                // Jitter, so that not all devices retry at the same time.
                let range = pause.rawValue / 2...pause.rawValue
                let jitter = Milliseconds.milliseconds(Int64.random(in: range, using: &random))
                setFetchTimer(number, at: now + .seconds(Int64(retryAfter ?? 0)) + jitter)
            } else {
                recorder.fetchFailed()
                fetches.close(number)?.completion(.failure(.refused(status: status)))
            }
        case .unreachable(let reason):
            recorder.fetchFailed()
            fetches.close(number)?.completion(.failure(.unreachable(reason)))
        }
    }
}

/// The fetches from the origin that have no answer yet. The number of an ended fetch is used again.
struct FetchTable {
    /// The most attempts for one fetch, the first included.
    static var attempts: Int { 4 }
    /// The back-off before the second attempt; it doubles with each attempt. The caller
    /// waits for a random part of it, at least half, and in addition for `Retry-After`.
    static var firstPause: Milliseconds { .milliseconds(500) }

    /// A fetch that a device's code waits for.
    struct Fetch {
        let path: String
        let device: Int
        let completion: @Sendable (Result<Data, OriginError>) -> Void
        /// The number of the current attempt, from 1.
        var attempt = 1
    }

    /// The open fetches, by number; nil where a number is free.
    private var open: [Fetch?] = []
    /// The numbers of ended fetches, for new ones.
    private var free: [Int] = []

    /// Registers a fetch; returns its number.
    mutating func open(
        _ path: String,
        device: Int,
        completion: @escaping @Sendable (Result<Data, OriginError>) -> Void
    ) -> Int {
        let fetch = Fetch(path: path, device: device, completion: completion)
        if let number = free.popLast() {
            assert(open[number] == nil, "the number is that of an open fetch")
            open[number] = fetch
            return number
        }
        open.append(fetch)
        return open.count - 1
    }

    subscript(number: Int) -> Fetch? { open[number] }

    /// Removes a fetch and returns it; nil if there is none with this number.
    mutating func close(_ number: Int) -> Fetch? {
        guard let fetch = open[number] else { return nil }
        open[number] = nil
        free.append(number)
        return fetch
    }

    /// Counts another attempt; returns the back-off before it, or nil if all attempts are
    /// used up.
    mutating func retry(_ number: Int) -> Milliseconds? {
        guard let attempt = open[number]?.attempt, attempt < Self.attempts else { return nil }
        open[number]?.attempt += 1
        return Self.firstPause * (1 << Int64(attempt - 1))
    }
}

/// Background downloads of widgets.
///
///     provider ─► downloadTask ─► origin ─► onBackgroundURLSessionEvents ─► reloadTimelines
///        └► timeline, at once                                               REQUEST, download
extension FleetEngine {
    /// The most downloads that a widget keeps until its next timeline; further ones are dropped.
    private static var downloadsLimit: Int { 16 }

    /// Starts a download. When it ends or fails, the widget's code is called.
    func download(_ path: String, identifier: String, for envelope: FleetMailbox.Envelope) {
        let (device, question) = (envelope.device, envelope.question)
        let fetch = fetches.open(path, device: device) { [mailbox] result in
            let message = FleetMessage.downloaded(
                path: path,
                identifier: identifier,
                data: try? result.get()
            )
            mailbox.put(message, for: question, of: device)
        }
        ask(fetch)
    }

    /// Ends a download, and calls the widget's code.
    func downloaded(
        _ path: String,
        identifier: String,
        data: Data?,
        for envelope: FleetMailbox.Envelope
    ) {
        let (device, question) = (envelope.device, envelope.question)
        let widget = number(question.widget, of: device)
        if let data, downloads[widget]?.count ?? 0 < Self.downloadsLimit {
            downloads[widget, default: [:]][path] = data
        }
        let asked = asked(question, of: device, isDownload: true)
        let kind = devices[device].widgets[question.widget].kind
        WidgetCenter.run(on: asked) {
            OriginSession.run(with: asked, pushedValues: nil) {
                population.declarations[kind].handleBackgroundEvents(of: identifier) {
                    asked.finish()
                }
            }
        }
    }
}
