internal import AdminAPI
internal import Basics
internal import Credentials
internal import Cryptography
internal import FrameCodec
internal import HTTPServing
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// Sessions of clients: which begin, as the gatekeeper judges them, and which have to go when the
/// app file changes or an operator revokes tokens.
final class SessionAdmission {
    let core: Core
    private let peers: PeerTable
    let reading: Reading
    let gatekeeper: Gatekeeper
    /// False once a drain has said GOAWAY to all sessions: no other begins.
    var isOpen = true
    /// Why clients are not let in whose ERROR is still to be sent and logged.
    var refusals: [ConnectionSlot: Logger.Metadata] = [:]
    /// HELLOs that were refused because of what their clients have shown, by the reason's label.
    var refusalCounts: [String: UInt64] = [:]

    init(_ reading: Reading, gatekeeper: Gatekeeper) {
        core = reading.core
        peers = reading.peers
        self.reading = reading
        self.gatekeeper = gatekeeper
    }

    /// Judges the HELLO of a connection, and begins or refuses its session; false if the verdict
    /// comes later, and the connection is paused until then.
    func judge(_ connection: TCPConnection) -> Bool {
        let slot = connection.peerSlot
        guard let hello = core.router.awaitedHello(slot) else { return true }
        let now = core.now
        let certificate = connection.security?.shownCertificate
        var verdict = gatekeeper.table.judge(hello, certificate: certificate, now: now.wall) {
            SHA256.digest($0)
        }
        if case .signed(let signed) = verdict {
            // HMAC takes a few microseconds; the other algorithms would delay all other clients.
            if case .hs256 = signed.key {
                let isValid = signed.key.verifies(signed.token)
                verdict = self.verdict(on: signed, isValid: isValid, now: now)
            } else if gatekeeper.verify(signed, for: .session(slot, serial: peers[slot].serial)) {
                reading.pause(slot, because: .verdict)
                return false
            } else {
                verdict = .refused(.busy)
            }
        }
        apply(verdict, to: slot, hello: hello, now: now)
        return true
    }

    /// Applies the verdicts that have become known since the last tick, unless the router cannot
    /// begin sessions now: the number of a producer's last push is known only once its pushes have
    /// been searched for.
    ///
    /// `publish` gets those on requests of publishers: whether a signature is valid.
    func applyVerdicts(publish: (SignedHello, Bool, HTTPConnection.RequestID) -> Void) {
        if core.router.isSearching || !isOpen { return }
        let now = core.now
        for answer in gatekeeper.answers() {
            switch answer.question.asker {
            case .session(let slot, let serial):
                // The connection may be gone, and another one have its slot.
                guard let connection = peers[slot].connection, peers[slot].serial == serial,
                    core.router.awaitsVerdict(slot), peers[slot].lingerUntil == .zero
                else { continue }
                let signed = answer.question.signed
                let verdict = verdict(on: signed, isValid: answer.isValid, now: now)
                apply(verdict, to: slot, hello: signed.hello, now: now)
                reading.resume(connection, removing: .verdict)
            case .request(let request):
                publish(answer.question.signed, answer.isValid, request)
            }
        }
    }

    /// The verdict on a HELLO whose signature was verified, also by what is revoked of its device.
    private func verdict(on signed: SignedHello, isValid: Bool, now: Instant) -> Verdict {
        var revokedBefore: WallTime?
        if signed.hello.role == .device, let name = signed.hello.name {
            revokedBefore = core.router.tokensRevokedBefore(device: name, app: signed.hello.app)
        }
        let table = gatekeeper.table
        return table.finish(signed, isValid: isValid, revokedBefore: revokedBefore, now: now.wall)
    }

    /// Begins or refuses the session that a HELLO asks for.
    private func apply(
        _ verdict: Verdict,
        to slot: ConnectionSlot,
        hello: HelloMessage,
        now: Instant
    ) {
        switch verdict {
        case .admitted(let grant):
            let entry = gatekeeper.table.entries[grant.entry]
            if let group = WorkGroup(of: entry) { core.router.join(group, on: slot) }
            peers[slot].entry = Int32(grant.entry)
            peers[slot].tokenEnd = grant.tokenEnd
            peers[slot].tokenIssued = grant.issued
            peers[slot].connection?.holdsSecrets = false
            let (end, devices) = (grant.until, grant.names)
            let missing = core.router.admit(slot, until: end, devices: devices, now: now)
            if missing == 0 { return }
            core.logger.warning(
                "the router knows nothing of pushes that a publisher had an answer to",
                metadata: [
                    "app": "\(quotation(hello.app))", "name": "\(quotation(hello.name ?? ""))",
                    "acked": "\(hello.acked ?? 0)", "missing": "\(missing)",
                    "session": "\(core.router.sessionName(slot) ?? "")",
                ]
            )
        case .refused(let refusal):
            refusalCounts[refusal.label, default: 0] &+= 1
            var details: Logger.Metadata = [
                "reason": "\(refusal.label)", "role": "\(hello.role.rawValue)",
                "app": "\(quotation(hello.app))",
            ]
            if let name = hello.name { details["name"] = "\(quotation(name))" }
            refusals[slot] = details
            core.router.end(slot, with: refusal.error(for: hello), now: now)
        case .signed: preconditionFailure("the gatekeeper verifies signatures")
        }
    }

    /// Uses the credentials of another app file, and ends the sessions that it does not let in any
    /// more; what they had accepted stays. Returns the former credentials.
    func replace(with credentials: Gatekeeper.Replacement) -> CredentialTable {
        let replaced = gatekeeper.replace(with: credentials)
        let (table, now) = (gatekeeper.table, core.now)
        let error = ProtocolError(
            .tokenRevoked,
            message: "the app file no longer has what let this session in"
        )
        for slot in admitted {
            guard let entry = credentials.successors[Int(peers[slot].entry)],
                table.isGood(entry, for: core.router.peerName(slot), at: now.wall),
                let devices = devices(by: entry, before: core.router.gatewayDevices(slot))
            else {
                core.router.end(slot, with: error, now: now)
                continue
            }
            peers[slot].entry = Int32(entry)
            let end = table.entries[entry].credential?.notAfter ?? .max
            core.router.limit(slot, until: min(peers[slot].tokenEnd, end), devices: devices)
        }
        return replaced
    }

    /// The devices for which a session may speak under an entry of the table; nil if these are
    /// fewer than before: a gateway may already speak for the others.
    private func devices(by entry: Int, before: NamePatterns?) -> NamePatterns? {
        guard let credential = gatekeeper.table.entries[entry].credential else { return .all }
        guard let before else { return credential.names }
        if !credential.names.includes(before) { return nil }
        // A signed token may name fewer devices than its key.
        if case .signature = credential.proof { return before }
        return credential.names
    }

    /// Ends the sessions of a device whose tokens were issued before a date, or do not say when.
    /// Returns how many sessions these were.
    func endSessions(of device: String, app: String, before date: WallTime) -> Int {
        gatekeeper.publisherGate.revoked()
        let (table, now) = (gatekeeper.table, core.now)
        let (name, app) = (Array(device.utf8), Array(app.utf8))
        let error = ProtocolError(
            .tokenRevoked,
            message: "an operator has revoked the tokens of this device that were signed (iat) "
                + "before \(date.rfc3339Milliseconds), or do not say when"
        )
        var count = 0
        for slot in admitted {
            let entry = table.entries[Int(peers[slot].entry)]
            guard entry.role == .device, entry.app.utf8.elementsEqual(app),
                case .signature = entry.credential?.proof,
                TokenClaims.isRevoked(peers[slot].tokenIssued, before: date, now: now.wall),
                core.router.peerName(slot) == name
            else { continue }
            core.router.end(slot, with: error, now: now)
            count += 1
        }
        return count
    }

    /// The sessions that an entry of the table has let in. (The entry of a session that has ended
    /// may be one of an earlier table.)
    private var admitted: [ConnectionSlot] {
        var slots: [ConnectionSlot] = []
        for slot in peers.slots where peers[slot].connection != nil && peers[slot].entry >= 0 {
            if core.router.isEstablished(slot) { slots.append(slot) }
        }
        return slots
    }
}
