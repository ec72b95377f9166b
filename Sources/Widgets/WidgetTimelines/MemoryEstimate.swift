internal import Foundation

/// Estimates how many bytes a value takes, including what it refers to; used for the memory limit
/// of simulated extensions.
///
/// Of a long list, only a few elements are examined and taken as typical. An object that is
/// referred to several times is counted each time.
struct MemoryEstimate {
    /// Elements of a list that are examined.
    static var sampleCount: Int { 4 }
    /// A value nested deeper than this counts for its own bytes only.
    static var depthLimit: Int { 8 }

    /// The bytes of an array of values.
    static func bytes<Value>(of values: [Value]) -> Int { bytes(of: values, depth: 0) }

    fileprivate static func bytes<Value>(of values: [Value], depth: Int) -> Int {
        assert(depth <= depthLimit, "a value beyond the depth limit is examined")
        let own = values.count * MemoryLayout<Value>.stride
        if values.isEmpty || depth >= depthLimit { return own }
        let step = max(1, values.count / sampleCount)
        let sample = Array(Swift.stride(from: 0, to: values.count, by: step).prefix(sampleCount))
        let referenced = sample.reduce(0) { $0 + referencedBytes(values[$1], depth: depth + 1) }
        return own + referenced * values.count / sample.count
    }

    /// The bytes that a value refers to, in addition to its own.
    private static func referencedBytes(_ value: Any, depth: Int) -> Int {
        if depth >= depthLimit { return 0 }
        switch value {
        case let text as String: return text.utf8.count > 15 ? text.utf8.count + 32 : 0
        case let data as Data: return data.count > 14 ? data.count + 64 : 0
        case is Date, is any Numeric, is Bool: return 0
        case let list as any EstimatedList: return list.bytes(depth: depth)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        return mirror.children.reduce(mirror.displayStyle == .class ? 16 : 0) {
            $0 + referencedBytes($1.value, depth: depth + 1)
        }
    }
}

/// A list whose element type is known only to itself.
private protocol EstimatedList {
    func bytes(depth: Int) -> Int
}

extension Array: EstimatedList {
    fileprivate func bytes(depth: Int) -> Int { 32 + MemoryEstimate.bytes(of: self, depth: depth) }
}
