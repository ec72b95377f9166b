/// The latest points of one resolution, in memory that is allocated once.
struct HistoryRing {
    let resolution: HistoryResolution
    /// The points; once there are as many as fit, each new one replaces the oldest.
    private var points: [HistoryPoint] = []
    /// The index of the oldest point, and of the next one to be replaced once the ring is full.
    private var oldest = 0
    /// The point that is not complete yet; nil if none has begun.
    private(set) var open: HistoryPoint?

    init(_ resolution: HistoryResolution) {
        self.resolution = resolution
        points.reserveCapacity(resolution.capacity)
    }

    /// True once points have been dropped, or will be with the next one.
    var isFull: Bool { points.count == resolution.capacity }

    /// The beginning of what is kept; nil if nothing is.
    var begin: MonotonicTime? { points.isEmpty ? nil : points[oldest].begin }

    /// The memory of the points, in bytes.
    var byteCount: Int { points.capacity * MemoryLayout<HistoryPoint>.stride }

    /// Adds a shorter point to the open one. Returns the open point if it is complete now; it is
    /// kept, and none is open any more.
    mutating func join(_ point: HistoryPoint) -> HistoryPoint? {
        if open == nil { open = point } else { open!.append(point) }
        guard let whole = open, whole.length >= resolution.completeLength else { return nil }
        open = nil
        append(whole)
        return whole
    }

    private mutating func append(_ point: HistoryPoint) {
        if !isFull { return points.append(point) }
        points[oldest] = point
        oldest = oldest + 1 == points.count ? 0 : oldest + 1
    }

    /// How many points are kept.
    var count: Int { points.count }

    /// A point by its age: 0 is the oldest.
    subscript(index: Int) -> HistoryPoint {
        let place = oldest + index
        return points[place < points.count ? place : place - points.count]
    }

    /// The first end of a point that is not before a time; nil if there is none.
    func firstEnd(from time: MonotonicTime) -> MonotonicTime? {
        for index in 0..<count where self[index].end >= time { return self[index].end }
        return nil
    }
}
