internal import AdminAPI
internal import Basics
internal import Platform
internal import RouterCore

/// A publisher's question about its pushes that has no answer yet.
///
/// A class, because it changes with each step. A connection has one request at a time, so
/// `HTTPServerLimits.connections` bounds their number.
final class PublisherLookup {
    fileprivate var walk: LookupWalk
    fileprivate let exchange: PublishExchange
    /// When the question came.
    fileprivate let begin: MonotonicTime

    fileprivate init(_ walk: LookupWalk, for exchange: PublishExchange, at begin: MonotonicTime) {
        self.walk = walk
        self.exchange = exchange
        self.begin = begin
    }
}

/// Questions of publishers, each of which is answered some records at a time, by turns.
extension Publishing {
    /// Begins to answer a question, or refuses it.
    func lookUp(_ lookup: PushLookup, for exchange: PublishExchange) {
        do throws(AdminProblem) {
            if core.phase != .serving { throw .draining }
            try requireGood(exchange)
            let walk = try LookupWalk(lookup, in: core)
            lookups.append(PublisherLookup(walk, for: exchange, at: core.now.monotonic))
            core.scheduleTick()
        } catch {
            exchange.answer(PublishAnswer(error))
        }
    }

    /// Performs steps of the questions until `end`, at least one; those that have waited longest
    /// come first.
    func advanceLookups(until end: ExactTime) {
        lookupRestEnd = nil
        if lookups.isEmpty { return }
        var (waiting, resting, stepped) = (lookups[...], [PublisherLookup](), [PublisherLookup]())
        while let lookup = waiting.popFirst() {
            // The client may have gone.
            if !lookup.exchange.isAwaited { continue }
            let payer = lookup.exchange.payer
            if core.mustWait(payer, restEnd: &lookupRestEnd) {
                resting.append(lookup)
                continue
            }
            let isAnswered = core.part(paidBy: payer) { resume(lookup) }
            if !isAnswered { stepped.append(lookup) }
            if ExactTime.now >= end { break }
        }
        if !waiting.isEmpty || !stepped.isEmpty { core.scheduleTick() }
        lookups = waiting + resting + stepped
    }

    /// Performs a step for a question. Returns whether it is answered.
    private func resume(_ lookup: PublisherLookup) -> Bool {
        do throws(AdminProblem) {
            guard let body = try lookup.walk.resume(in: core) else { return false }
            lookup.exchange.answer(.json(body.json))
        } catch {
            lookup.exchange.answer(PublishAnswer(error))
        }
        return true
    }

    /// Refuses questions that have waited too long.
    func answerLateLookups() {
        let time = core.now.monotonic - PushSessions.patience
        let late = lookups.filter { $0.begin < time }
        if late.isEmpty { return }
        lookups.removeAll { $0.begin < time }
        if lookups.isEmpty { lookupRestEnd = nil }
        for lookup in late {
            let account = core.account(of: lookup.exchange.payer)?.account
            let isCostly = account.map { core.router.restEnd($0) != nil } ?? false
            let problem = isCostly ? Self.manyProblem("the questions cost too much") : nil
            lookup.exchange.answer(.problem(problem ?? Self.lateProblem))
        }
    }
}
