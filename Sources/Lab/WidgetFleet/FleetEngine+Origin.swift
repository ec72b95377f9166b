internal import Foundation
internal import WidgetTimelines

/// What providers ask their origin.
extension FleetEngine {
    /// Asks for the first time, or again.
    func ask(_ number: Int) {
        guard let fetch = fetches[number] else { return }
        if isOnline(fetch.device) {
            ports.fetch(fetch.path, number: number)
        } else {
            fetches.close(number)?.completion(.failure(.offline))
        }
    }

    /// The origin has answered, or has not.
    func fetched(_ number: Int, _ answer: OriginAnswer) {
        switch answer {
        case .body(let bytes): fetches.close(number)?.completion(.success(Data(bytes)))
        case .refused(let status, let retryAfter):
            // 429 and 503 say that it is too much; other statuses will be the same next time.
            let mayRetry = status == 429 || status == 503
            if mayRetry, let pause = fetches.retry(number) {
                recorder.retried()
                // Not everybody at once again.
                let jitter = Int64.random(in: pause / 2...pause, using: &random)
                setFetchTimer(number, at: now + Int64(retryAfter ?? 0) * 1_000 + jitter)
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
