internal import Basics
internal import Foundation
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
