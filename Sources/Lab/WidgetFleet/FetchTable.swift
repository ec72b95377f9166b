internal import Foundation
internal import WidgetTimelines

/// The questions to the origin that have no answer yet, by numbers that are used again.
struct FetchTable {
    /// How often an origin that refuses is asked for the same.
    static var attempts: Int { 4 }
    /// How long until the second attempt, in ms; each further one waits twice as long.
    static var firstPause: Int64 { 500 }

    struct Fetch {
        let path: String
        let device: Int
        let completion: @Sendable (Result<Data, OriginError>) -> Void
        var attempt = 1
    }

    private var open: [Fetch?] = []
    private var free: [Int] = []

    mutating func open(
        _ path: String,
        device: Int,
        _ completion: @escaping @Sendable (Result<Data, OriginError>) -> Void
    ) -> Int {
        let fetch = Fetch(path: path, device: device, completion: completion)
        if let number = free.popLast() {
            open[number] = fetch
            return number
        }
        open.append(fetch)
        return open.count - 1
    }

    subscript(number: Int) -> Fetch? { open[number] }

    mutating func close(_ number: Int) -> Fetch? {
        guard let fetch = open[number] else { return nil }
        open[number] = nil
        free.append(number)
        return fetch
    }

    /// Another attempt; how long until then, in ms, or nil if there were enough.
    mutating func retry(_ number: Int) -> Int64? {
        guard let attempt = open[number]?.attempt, attempt < Self.attempts else { return nil }
        open[number]?.attempt += 1
        return Self.firstPause << (attempt - 1)
    }
}
