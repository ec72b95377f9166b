internal import ByteStorage

/// A first-in-first-out queue of numbers in which the numbers of one burst are in random order.
///
///     ring:  … [ burst 7, shuffled ][ burst 8, shuffled ][ the last burst, still growing ] …
///              ▲ head                                     ▲ lastBegin                   ▲ end
///
/// Each new number changes places with a random waiting one of its burst, itself included (the
/// inside-out form of Fisher and Yates' shuffle): every order is as likely at any time. The ring
/// grows and shrinks with what waits; positions count on and are cut to the ring by a mask.
struct ShuffledQueue {
    static var firstCapacity: Int { 64 }

    var ring = ContiguousArray<UInt32>(repeating: 0, count: firstCapacity)
    var head = 0
    var end = 0
    /// Where the last burst begins, and its number.
    var lastBegin = 0
    var lastBurst: UInt64 = 0

    var count: Int { end - head }
    var byteCount: Int { ring.count * MemoryLayout<UInt32>.stride }

    mutating func append(_ id: UInt32, burst: UInt64, _ random: inout SplitMix64) {
        if count == ring.count { resize(to: ring.count * 2) }
        if burst != lastBurst || head == end {
            lastBurst = burst
            lastBegin = end
        }
        let begin = max(lastBegin, head)
        let place = begin + random.below(end - begin + 1)
        ring[end & (ring.count - 1)] = ring[place & (ring.count - 1)]
        ring[place & (ring.count - 1)] = id
        end += 1
    }

    mutating func popFirst() -> UInt32? {
        if head == end { return nil }
        let id = ring[head & (ring.count - 1)]
        head += 1
        if ring.count > Self.firstCapacity && count * 8 < ring.count { resize(to: ring.count / 2) }
        return id
    }

    /// Keeps the numbers for which `isKept` holds, in their order.
    mutating func keep(_ isKept: (UInt32) -> Bool) {
        var (kept, begin) = (head, head)
        for position in head..<end {
            if position == lastBegin { begin = kept }
            let id = ring[position & (ring.count - 1)]
            if !isKept(id) { continue }
            ring[kept & (ring.count - 1)] = id
            kept += 1
        }
        if lastBegin >= end { begin = kept }
        (end, lastBegin) = (kept, begin)
        var capacity = ring.count
        while capacity > Self.firstCapacity && count * 8 < capacity { capacity /= 2 }
        if capacity != ring.count { resize(to: capacity) }
    }

    private mutating func resize(to capacity: Int) {
        var other = ContiguousArray<UInt32>(repeating: 0, count: capacity)
        for position in head..<end {
            other[position - head] = ring[position & (ring.count - 1)]
        }
        ring = other
        lastBegin = max(0, lastBegin - head)
        end -= head
        head = 0
    }
}
