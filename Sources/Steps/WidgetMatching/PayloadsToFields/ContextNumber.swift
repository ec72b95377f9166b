/// The number of an object in the lists of a push (`PushBatch.Context`). A push counts its objects
/// from 1 in the order in which they begin, so that those within another one follow it.
struct ContextNumber: BitwiseCopyable, Equatable, Comparable {
    /// Stands for the payload itself, outside of all lists. It comes before all objects.
    @inline(__always)
    static var none: ContextNumber { ContextNumber(rawValue: 0) }

    let rawValue: UInt32

    @inline(__always)
    private init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number of the last of `count` objects.
    @inline(__always)
    init(count: Int) {
        assert(count >= 0, "\(count) objects")
        rawValue = UInt32(count)
    }

    /// How many objects there are up to and including this one.
    @inline(__always)
    var count: Int { Int(rawValue) }

    /// The index of the object among those of its push.
    @inline(__always)
    var index: Int {
        assert(self != .none, "the payload is no object in a list")
        return Int(rawValue) - 1
    }

    /// The number of the next object.
    @inline(__always)
    var next: ContextNumber { ContextNumber(rawValue: rawValue + 1) }

    @inline(__always)
    static func < (left: ContextNumber, right: ContextNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}
