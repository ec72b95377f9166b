internal import Basics
internal import Credentials
internal import LibuvLoop
internal import RouterCore

/// Which clients are let in: the gatekeeper judges them.
extension Server {
    /// Judges the HELLO of a connection; false if the verdict comes later, and the connection is
    /// paused until then.
    func judgeHello(of connection: TCPConnection) -> Bool {
        let slot = connection.peerSlot
        guard let hello = core.router.awaitedHello(slot) else { return true }
        let isJudged = gatekeeper.judge(
            hello,
            on: slot,
            peers: peers,
            router: &core.router,
            now: core.now,
            logger: core.logger
        )
        if !isJudged { reading.pause(slot, because: .verdict) }
        return isJudged
    }

    /// Applies the verdicts that have become known since the last tick, unless the router cannot
    /// begin sessions now: the number of a producer's last push is known only once its pushes have
    /// been searched for.
    func applyVerdicts() {
        if core.router.isSearching || !gatekeeper.isOpen { return }
        let now = core.now
        for answer in gatekeeper.answers() {
            switch answer.question.asker {
            case .session(let slot, let serial):
                // The connection may be gone, and another one have its slot.
                guard let connection = peers[slot].connection, peers[slot].serial == serial,
                    core.router.awaitsVerdict(slot), peers[slot].lingerUntil == .zero
                else { continue }
                let signed = answer.question.signed
                gatekeeper.apply(
                    gatekeeper.verdict(
                        on: signed,
                        isValid: answer.isValid,
                        in: core.router,
                        now: now
                    ),
                    to: slot,
                    hello: signed.hello,
                    peers: peers,
                    router: &core.router,
                    now: now,
                    logger: core.logger
                )
                reading.resume(connection, removing: .verdict)
            case .request(let request):
                publishing.listener?.apply(
                    answer.question.signed,
                    isValid: answer.isValid,
                    to: request
                )
            }
        }
    }
}
