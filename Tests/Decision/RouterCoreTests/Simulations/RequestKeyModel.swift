import Basics
import FrameCodec

@testable import RouterCore

/// What is known of requests with keys, and how often their pushes must have had their effect, in a
/// model that is too simple to be wrong.
///
/// It is a value, of which one is kept for each record of the journal: a crash leads back to that
/// of the last record that is left.
struct RequestKeyModel {
    enum Line: Equatable {
        /// A push to the widgets of a character.
        case push(Int)
        case noJSON
        case tooLong

        /// Why it is refused; nil if it is not.
        var refusal: ErrorCode? {
            switch self {
            case .push: nil
            case .noJSON: .payloadNotJSON
            case .tooLong: .frameLength
            }
        }
    }

    struct Request: Equatable {
        var app: String
        /// Its key's name, which says the app, too.
        var name: UInt64
        var content: UInt32
        var lines: [Line]

        var key: RequestKey {
            RequestKey(
                high: name &* 0x9e37_79b9_7f4a_7c15,
                low: UInt32(name),
                content: content
            )
        }

        /// What must be known when its lines up to one of them have had their effect.
        func progress(through end: Int, isAnswered: Bool) -> RequestProgress {
            let done = lines[..<end]
            var refused: [(line: Int, code: ErrorCode)] = []
            for (index, line) in done.enumerated() {
                if let code = line.refusal { refused.append((index + 1, code)) }
            }
            var matched: UInt64 = 0
            for case .push(let character) in done { matched += RequestKeyModel.widgets(character) }
            return RequestProgress(
                key: key,
                lines: end,
                accepted: end - refused.count,
                matched: matched,
                isAnswered: isAnswered,
                rejected: refused
            )
        }
    }

    struct Known {
        var request: Request
        /// The lines up to the last accepted one or, once it is answered, all.
        var end = 0
        var isAnswered = false
        /// When its first push was accepted.
        var since: Int64 = 0

        var progress: RequestProgress { request.progress(through: end, isAnswered: isAnswered) }
    }

    static let characters = 4
    static let keyTime: Int64 = 24 * hour
    /// The most keys of an app; one for each request under way may come in addition.
    let keysPerApp: Int

    /// The number of a character's widgets, each of which is on a device of its own.
    static func widgets(_ character: Int) -> UInt64 { UInt64(character % 3 + 1) }

    /// The kept keys by their names.
    private(set) var kept: [UInt64: Known] = [:]
    /// Their names by app, the oldest first.
    private var order: [String: [UInt64]] = [:]
    /// The requests under way, by the slots of their sessions.
    private(set) var underWay: [ConnectionSlot: Known] = [:]
    /// How often the pushes to each character of an app have had their effect.
    private(set) var effects: [String: [Int]] = [:]
    /// The time that the router has run.
    var time: Int64 = 0

    init(keysPerApp: Int) { self.keysPerApp = keysPerApp }

    func isUnderWay(_ name: UInt64) -> Bool { underWay.values.contains { $0.request.name == name } }

    /// A request begins, or continues.
    ///
    /// - Returns: how many keys of its app it displaces.
    mutating func begin(_ request: Request, on slot: ConnectionSlot) -> Int {
        var displaced = 0
        if kept[request.name] == nil {
            while order[request.app, default: []].count >= keysPerApp {
                forgetOldest(of: request.app)
                displaced += 1
            }
        }
        underWay[slot] = kept[request.name] ?? Known(request: request)
        return displaced
    }

    /// Lines of a request have come to the router, which accepts or refuses them.
    mutating func applied(_ lines: Range<Int>, on slot: ConnectionSlot) {
        guard var known = underWay[slot] else { return }
        let app = known.request.app
        let former = known.end
        for index in lines {
            guard case .push(let character) = known.request.lines[index] else { continue }
            effects[app, default: Array(repeating: 0, count: Self.characters)][character] += 1
            known.end = index + 1
        }
        underWay[slot] = known
        // A key that was forgotten meanwhile comes back with the next accepted push, or the end.
        if known.end > former { keep(known) }
    }

    /// A request ends, of which each line was accepted or refused.
    mutating func end(on slot: ConnectionSlot) {
        guard var known = underWay.removeValue(forKey: slot), known.end > 0 else { return }
        known.end = known.request.lines.count
        known.isAnswered = true
        keep(known)
    }

    /// A session ends with its request.
    mutating func closed(_ slot: ConnectionSlot) { underWay[slot] = nil }

    /// The process ends.
    mutating func crashed() { underWay = [:] }

    /// Forgets the keys that were kept for long enough, and returns how many these are.
    mutating func forgetOld() -> Int {
        let old = kept.values.filter { $0.since <= time - Self.keyTime }
        for known in old { forgetOldest(of: known.request.app) }
        return old.count
    }

    private mutating func keep(_ known: Known) {
        var known = known
        if let former = kept[known.request.name] {
            known.since = former.since
        } else {
            known.since = time
            order[known.request.app, default: []].append(known.request.name)
        }
        kept[known.request.name] = known
    }

    private mutating func forgetOldest(of app: String) {
        kept[order[app]!.removeFirst()] = nil
    }
}
