internal import AdminAPI
internal import RouterCore

/// A lookup of pushes while it is made, some records at a time, for operators and for publishers.
enum LookupWalk {
    case list(PushWalk)
    case history(HistoryWalk)

    /// Pushes that one step passes over.
    private static var pushCount: Int { 4_096 }
    /// Widgets of whose decisions one step reads, which takes longer.
    private static var widgetCount: Int { 256 }

    /// Begins a lookup.
    ///
    /// - Throws: why nothing is found.
    init(_ lookup: PushLookup, in core: Core) throws(AdminProblem) {
        do throws(HistoryRefusal) {
            switch lookup {
            case .list(let request):
                let walk = try core.router.beginPushes(
                    app: request.app,
                    producer: request.producer,
                    named: request.name,
                    before: request.before,
                    limit: request.limit
                )
                self = .list(walk)
            case .history(let request):
                let walk = try core.router.beginHistory(
                    app: request.app,
                    producer: request.producer,
                    seq: request.seq,
                    after: request.after,
                    limit: request.limit
                )
                self = .history(walk)
            }
        } catch {
            throw AdminProblem(error)
        }
    }

    /// Performs a step; returns the answer if it is complete.
    ///
    /// - Throws: why nothing is found.
    mutating func resume(in core: Core) throws(AdminProblem) -> (any AdminBody)? {
        do throws(HistoryRefusal) {
            switch self {
            case .list(var walk):
                defer { self = .list(walk) }
                let isWhole = try core.router.resume(&walk, count: Self.pushCount)
                return isWhole ? ListBody("pushes", of: walk.pushes, next: walk.next) : nil
            case .history(var walk):
                defer { self = .history(walk) }
                let count = walk.history == nil ? Self.pushCount : Self.widgetCount
                let isWhole = try core.router.resume(&walk, count: count, now: core.now)
                return isWhole ? walk.history : nil
            }
        } catch {
            throw AdminProblem(error)
        }
    }
}

extension AdminProblem {
    /// Turns what the router says of a push into an HTTP problem.
    fileprivate init(_ refusal: HistoryRefusal) {
        let status: UInt32 = refusal.code == .pushForgotten ? 410 : 404
        self.init(status, code: refusal.code.rawValue, detail: refusal.detail)
    }
}
