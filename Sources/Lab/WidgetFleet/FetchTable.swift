internal import Basics
internal import Foundation
internal import WidgetTimelines

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
