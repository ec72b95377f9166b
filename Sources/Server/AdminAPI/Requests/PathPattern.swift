internal import Basics
internal import HTTPMessages

/// The path of a route: a name in braces stands for one segment.
///
/// A path is cut at its slashes before it is decoded, so a name may contain a slash, written as
/// `%2F`.
struct PathPattern {
    /// The segments between the slashes; nil for those in braces.
    private let segments: [[UInt8]?]

    init(_ path: String) {
        assert(path.hasPrefix("/"), "\(path) is no path")
        let parts = path.utf8.dropFirst().split(separator: 0x2f, omittingEmptySubsequences: false)
        segments = parts.map { $0.first == 0x7b ? nil : Array($0) }
    }

    /// The segments in braces; nil if the path is another one, or if one of these is not UTF-8.
    /// Nothing is decoded before all other segments are found to be right.
    func names(in path: ByteView) -> [String]? {
        var found: [ByteView] = []
        var offset = 0
        for expected in segments {
            guard path.has(offset), path[offset] == 0x2f else { return nil }
            let start = offset + 1
            offset = start
            while path.has(offset), path[offset] != 0x2f { offset += 1 }
            let segment = path.slice(start, to: offset)
            if let expected {
                if !Self.isEqual(segment, to: expected) { return nil }
            } else {
                found.append(segment)
            }
        }
        if offset != path.count { return nil }
        var names: [String] = []
        for segment in found {
            guard let name = Self.text(of: segment) else { return nil }
            names.append(name)
        }
        return names
    }

    /// A decoded segment; nil if it is not UTF-8.
    private static func text(of segment: ByteView) -> String? {
        // Nearly all have no escapes and are ASCII: these are their bytes.
        let isPlain = (0..<segment.count).allSatisfy { segment[$0] != 0x25 && segment[$0] < 0x80 }
        if isPlain { return segment.string }
        return String(validating: PercentEscapes.decode(segment, isQuery: false), as: UTF8.self)
    }

    private static func isEqual(_ segment: ByteView, to expected: [UInt8]) -> Bool {
        if segment.count == expected.count {
            return expected.withByteView { segment == $0 }
        }
        // A byte is written with three at most.
        return segment.count > expected.count && segment.count <= 3 * expected.count
            && PercentEscapes.decode(segment, isQuery: false) == expected
    }
}
