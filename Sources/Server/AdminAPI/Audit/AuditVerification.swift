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
    /// The last line of the chain; nil if there is none.
    package private(set) var last: Line?

    /// A line that can be found again.
    package struct Line: Equatable, Sendable {
        /// Its date.
        package let date: String
        /// Its code.
        package let code: String
        /// Its number.
        package let number: UInt64
    }

    /// The codes of lines that must be in the chain, and were not found yet.
    private var wanted: Set<String> = []
    /// The numbers of the lines that are kept of files before the chain, by their codes.
    private var kept: [String: UInt64] = [:]
    /// The number of the chain's first line; nil if there is none.
    private var firstNumber: UInt64?

    /// Reads a log, its former files, and what is kept of files before these; a line with the code
    /// `expected` must be there.
    package init(_ path: String, expecting expected: String? = nil) throws(AuditLogError) {
        let key = try AuditKey(ofLog: path, mayBeNew: false)
        // Read before the log, which may be written meanwhile: its last line is there already.
        let end = try AuditEnd.read(ofLog: path, key: key)
        if let expected { wanted.insert(expected) }
        if case .whole(let end) = end, end.code != AuditChain.none { wanted.insert(end.code) }
        for kept in ["\(path).kept.1", "\(path).kept"] where try AuditFile.exists(kept) {
            var previous: String?
            try check(kept, key: key, isChain: false, previous: &previous)
        }
        var previous: String?
        for number in (0...AuditLog.formerFiles).reversed() {
            let name = number == 0 ? path : "\(path).\(number)"
            if number > 0, try !AuditFile.exists(name) { continue }
            try check(name, key: key, isChain: true, previous: &previous)
        }
        judge(end, of: path)
        if let expected, wanted.contains(expected), !isKept(expected) {
            add(
                "\(path): no line has the code \(expected): it was cut off or, if it is of a file "
                    + "that was dropped, is not kept"
            )
        }
    }

    /// Compares the last line with the end that is noted.
    private mutating func judge(_ end: AuditEnd.Note, of path: String) {
        let note = AuditEnd.path(ofLog: path)
        switch end {
        case .whole(let end):
            if !wanted.contains(end.code) { return }
            let place = last.map { "ends with line \($0.number)" } ?? "has none"
            add(
                "\(path): its last lines are missing: the last one was line \(end.number) with the "
                    + "code \(end.code), and it \(place)"
            )
        case .foreign: add("\(note): it was changed, or is of another key")
        case .none: if last != nil { add("\(note): it is missing, and perhaps lines are, too") }
        }
    }

    /// Whether a line is kept of a file before the chain: there, and only there, it need not be in
    /// the chain.
    private func isKept(_ code: String) -> Bool {
        guard let number = kept[code], let firstNumber else { return false }
        return number < firstNumber
    }

    /// Checks one file. In a chain, each line follows the one before it, of which `previous` is the
    /// code.
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
            let isOwn = chain.isOwn(codes.signed, code: codes.own)
            if !isOwn {
                add(place + "it was changed: its code is another one")
            } else if isChain, let previous, codes.previous != previous {
                add(place + "lines before it are missing, or were moved")
            } else {
                lineCount += 1
            }
            defer { previous = codes.own }
            if !isChain {
                if isOwn { kept[codes.own] = codes.number }
                continue
            }
            if isOwn { wanted.remove(codes.own) }
            last = Line(date: Self.date(of: line), code: codes.own, number: codes.number)
            if previous == nil {
                firstNumber = codes.number
                begin = last?.date
                isCut = codes.previous != AuditChain.none
            }
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
