internal import AdminAPI
internal import Basics
internal import Credentials
internal import FrameCodec
internal import LibuvLoop
internal import Logging
internal import RouterCore

/// Sessions of clients: which begin, and which have to go when the app file changes or an operator
/// revokes tokens. It touches the router and the table of peers, and nothing else of the server.
extension Gatekeeper {
    /// Begins or refuses the session that a HELLO asks for.
    func apply(
        _ verdict: Verdict,
        to slot: ConnectionSlot,
        hello: HelloMessage,
        peers: PeerTable,
        router: inout Router,
        now: Instant,
        logger: Logger
    ) {
        switch verdict {
        case .admitted(let grant):
            let entry = table.entries[grant.entry]
            if let group = WorkGroup(of: entry) { router.join(group, on: slot) }
            peers[slot].entry = Int32(grant.entry)
            peers[slot].tokenEnd = grant.tokenEnd
            peers[slot].tokenIssued = grant.issued
            peers[slot].connection?.holdsSecrets = false
            let missing = router.admit(slot, until: grant.until, devices: grant.names, now: now)
            if missing == 0 { return }
            logger.warning(
                "the router knows nothing of pushes that a publisher had an answer to",
                metadata: [
                    "app": "\(quotation(hello.app))", "name": "\(quotation(hello.name ?? ""))",
                    "acked": "\(hello.acked ?? 0)", "missing": "\(missing)",
                    "session": "\(router.sessionName(slot) ?? "")",
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
            router.end(slot, with: refusal.error(for: hello), now: now)
        case .signed: preconditionFailure("the gatekeeper verifies signatures")
        }
    }

    /// Uses the credentials of another app file, and ends the sessions that it does not let in any
    /// more; what they had accepted stays. Returns the former credentials.
    func replace(
        with credentials: Replacement,
        peers: PeerTable,
        router: inout Router,
        now: Instant
    ) -> CredentialTable {
        let replaced = replace(with: credentials)
        let error = ProtocolError(
            .tokenRevoked,
            message: "the app file no longer has what let this session in"
        )
        for slot in sessions(of: peers, in: router) {
            guard let entry = credentials.successors[Int(peers[slot].entry)],
                table.isGood(entry, for: router.peerName(slot), at: now.wall),
                let devices = devices(by: entry, before: router.gatewayDevices(slot))
            else {
                router.end(slot, with: error, now: now)
                continue
            }
            peers[slot].entry = Int32(entry)
            let end = table.entries[entry].credential?.notAfter ?? .max
            router.limit(slot, until: min(peers[slot].tokenEnd, end), devices: devices)
        }
        return replaced
    }

    /// The devices for which a session may speak under an entry of the table; nil if these are
    /// fewer than before: a gateway may already speak for the others.
    private func devices(by entry: Int, before: NamePatterns?) -> NamePatterns? {
        guard let credential = table.entries[entry].credential else { return .all }
        guard let before else { return credential.names }
        if !credential.names.includes(before) { return nil }
        // A signed token may name fewer devices than its key.
        if case .signature = credential.proof { return before }
        return credential.names
    }

    /// Ends the sessions of a device whose tokens were issued before a date, or do not say when.
    /// Returns how many sessions these were.
    func endSessions(
        of device: String,
        app: String,
        before date: WallTime,
        peers: PeerTable,
        router: inout Router,
        now: Instant
    ) -> Int {
        publisherGate.revoked()
        let (name, app) = (Array(device.utf8), Array(app.utf8))
        let error = ProtocolError(
            .tokenRevoked,
            message: "an operator has revoked the tokens of this device that were signed (iat) "
                + "before \(date.rfc3339Milliseconds), or do not say when"
        )
        var count = 0
        for slot in sessions(of: peers, in: router) {
            let entry = table.entries[Int(peers[slot].entry)]
            guard entry.role == .device, entry.app.utf8.elementsEqual(app),
                case .signature = entry.credential?.proof,
                TokenClaims.isRevoked(peers[slot].tokenIssued, before: date, now: now.wall),
                router.peerName(slot) == name
            else { continue }
            router.end(slot, with: error, now: now)
            count += 1
        }
        return count
    }

    /// The sessions that an entry of the table has let in. (The entry of a session that has ended
    /// may be one of an earlier table.)
    private func sessions(of peers: PeerTable, in router: borrowing Router) -> [ConnectionSlot] {
        var slots: [ConnectionSlot] = []
        for slot in peers.slots where peers[slot].connection != nil && peers[slot].entry >= 0 {
            if router.isEstablished(slot) { slots.append(slot) }
        }
        return slots
    }
}
