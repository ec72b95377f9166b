internal import AdminAPI
internal import Basics
internal import Credentials
internal import Cryptography
internal import FrameCodec
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// Who is let in, and who has to go when the app file changes.
extension Server {
    /// Judges the HELLO of a connection.
    ///
    /// - Returns: false if the verdict comes later; the connection is paused until then.
    func judgeHello(of connection: TCPConnection) -> Bool {
        let slot = slot(of: connection)
        guard let hello = router.awaitedHello(slot) else { return true }
        let now = thisTick.clock.now()
        let verdict = gatekeeper.judge(
            hello,
            certificate: connection.security?.shownCertificate,
            for: slot,
            serial: peers[slot].serial,
            revokedBefore: Gatekeeper.revocation(for: hello, in: router),
            now: now.wall
        )
        guard let verdict else {
            pauseReading(slot, because: .verdict)
            return false
        }
        apply(verdict, to: slot, hello: hello)
        return true
    }

    /// Applies the verdicts that have become known since the last tick, unless the router cannot
    /// begin sessions now: the number of a producer's last push is known only once its pushes have
    /// been searched for.
    func applyVerdicts() {
        if router.isSearching || !gatekeeper.isOpen { return }
        let now = thisTick.clock.now()
        for answer in gatekeeper.answers() {
            switch answer.question.asker {
            case .session(let slot, let serial):
                // The connection may be gone, and another one have its slot.
                guard let connection = peers[slot].connection, peers[slot].serial == serial,
                    router.awaitsVerdict(slot), peers[slot].lingerUntil == .zero
                else { continue }
                let hello = answer.question.signed.hello
                let verdict = gatekeeper.verdict(
                    on: answer,
                    revokedBefore: Gatekeeper.revocation(for: hello, in: router),
                    now: now.wall
                )
                apply(verdict, to: slot, hello: hello)
                resumeReading(connection, removing: .verdict)
            case .request(let request):
                publishing.listener?.apply(
                    answer.question.signed,
                    isValid: answer.isValid,
                    to: request
                )
            }
        }
    }

    private func apply(_ verdict: Verdict, to slot: ConnectionSlot, hello: HelloMessage) {
        gatekeeper.apply(
            verdict,
            to: slot,
            hello: hello,
            peers: &peers,
            router: &router,
            now: thisTick.clock.now(),
            logger: logger
        )
    }
}
