internal import Glibc

/// Whether the lines of an audit log are as they were written: each with its own code, and after
/// the one whose code it names.
package struct AuditVerification {
    /// The most problems that are listed.
    package static var problemLimit: Int { 64 }

    /// The number of lines that are right.
    package private(set) var lineCount = 0
    /// What is wrong, each with its file and line: sentences, at most `problemLimit`.
    package private(set) var problems: [String] = []
    /// The date of the first line of the chain; nil if there is none.
    package private(set) var begin: String?
    /// Whether lines before the first are missing: files that were dropped, or removed.
    package private(set) var isCut = false

    /// Reads a log, its former files, and what is kept of files before these.
    ///
    /// - Parameter path: the present file.
    /// - Throws: `AuditLogError` if a file or the key cannot be read.
    package init(_ path: String) throws(AuditLogError) {
        let key = try AuditKey(ofLog: path, mayBeNew: false)
        for kept in ["\(path).kept.1", "\(path).kept"] where Self.exists(kept) {
            try check(kept, key: key, isChain: false)
        }
        var previous: String?
        for number in (0...AuditLog.formerFiles).reversed() {
            let name = number == 0 ? path : "\(path).\(number)"
            if number > 0 && !Self.exists(name) { continue }
            try check(name, key: key, isChain: true, previous: &previous)
        }
    }

    private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    private mutating func check(
        _ path: String,
        key: AuditKey,
        isChain: Bool
    ) throws(AuditLogError) {
        var previous: String?
        try check(path, key: key, isChain: isChain, previous: &previous)
    }

    /// Checks one file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - key: the key of the log.
    ///   - isChain: whether each line follows the one before it.
    ///   - previous: the code of the line before; nil if there is none.
    /// - Throws: `AuditLogError`.
    private mutating func check(
        _ path: String,
        key: AuditKey,
        isChain: Bool,
        previous: inout String?
    ) throws(AuditLogError) {
        let chain = AuditChain(key: key)
        var lines = try AuditFile.bytes(of: path).split(
            separator: 0x0a,
            omittingEmptySubsequences: false
        )
        // What comes after the last line feed is a line that is being written, or was cut.
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            let place = "\(path), line \(index + 1): "
            guard let codes = AuditChain.codes(of: line) else {
                add(place + "it has no code: it was changed, or cut off, or is of another program")
                continue
            }
            if !chain.isOwn(codes.signed, code: codes.own) {
                add(place + "it was changed: its code is another one")
            } else if isChain, let previous, codes.previous != previous {
                add(place + "lines before it are missing, or were moved")
            } else {
                lineCount += 1
            }
            if isChain && previous == nil {
                begin = Self.date(of: line)
                isCut = codes.previous != AuditChain.none
            }
            previous = codes.own
        }
    }

    private mutating func add(_ problem: String) {
        if problems.count < Self.problemLimit { problems.append(problem) }
    }

    /// The value of `at`, with which each line begins.
    private static func date(of line: ArraySlice<UInt8>) -> String {
        String(decoding: line.dropFirst(7).prefix { $0 != 0x22 }, as: UTF8.self)
    }
}
