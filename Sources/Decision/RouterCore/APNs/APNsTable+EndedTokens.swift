internal import Basics
internal import StoreFormat

/// Push tokens to which APNs accepts nothing.
extension APNsTable {
    // MARK: - One token

    /// Whether an owner has a token.
    func hasToken(_ owner: TokenOwner, in delivery: borrowing DeliveryTable) -> Bool {
        switch owner.channel {
        case .widgets: delivery.devices[owner.device].widgetsToken.isPresent
        case .background: appToken(owner.device).isPresent
        case .controls:
            delivery.widgets.has(owner.control)
                && delivery.widgets[owner.control].device == owner.device
                && controlToken(owner.control).isPresent
        }
    }

    /// The text of an owner's token, which must be there; valid until a token changes.
    func text(of owner: TokenOwner, in delivery: borrowing DeliveryTable) -> ByteView {
        switch owner.channel {
        case .widgets: text(of: delivery.devices[owner.device].widgetsToken)
        case .background: text(of: appToken(owner.device))
        case .controls: text(of: controlToken(owner.control))
        }
    }

    /// What APNs has said of an owner's token.
    func tokenState(of owner: TokenOwner) -> StoredToken.State {
        switch owner.channel {
        case .widgets: pushes.has(owner.device) ? pushes[owner.device].tokenState : .good
        case .background: appToken(owner.device).state
        case .controls: controlToken(owner.control).state
        }
    }

    /// Why and since when an owner's token is of no use.
    func tokenEnd(of owner: TokenOwner) -> TokenEnd {
        switch owner.channel {
        case .widgets: pushes.has(owner.device) ? pushes[owner.device].tokenEnd : .none
        case .background: end(of: appToken(owner.device))
        case .controls: end(of: controlToken(owner.control))
        }
    }

    /// Why and since when the token of an app or control is of no use.
    func end(of token: StoredToken) -> TokenEnd {
        var end = TokenEnd.none
        if token.state == .good { return end }
        let block = unsafe texts.view(token.text, count: token.byteCount)
        var reader = StoreReader(block.slice(Int(token.count), to: block.count))
        do throws(StoreError) {
            try end.read(&reader)
        } catch {
            preconditionFailure("the end of a token is lost: \(error)")
        }
        return end
    }

    // MARK: - Changes

    /// Records that a token is of no use (`dead` or `refused`) until its device registers again.
    /// The owner must have a token, and `end` a number above those of all former ends.
    mutating func endToken(
        of owner: TokenOwner,
        as state: StoredToken.State,
        by end: TokenEnd,
        in delivery: borrowing DeliveryTable
    ) {
        assert(end.hasEnded, "an end without a number")
        assert(hasToken(owner, in: delivery), "the end of a token that is not there")
        forgetTokenEnd(of: owner)
        setTokenState(of: owner, to: state, by: end)
        endedTokens.append(owner, number: end.number)
    }

    /// Records that nothing is said against a token, or against one that was refused.
    mutating func forgetTokenEnd(of owner: TokenOwner, onlyRefused: Bool = false) {
        let state = tokenState(of: owner)
        if state == .good || onlyRefused && state != .refused { return }
        let end = tokenEnd(of: owner)
        if end.hasEnded { endedTokens.remove(number: end.number) }
        setTokenState(of: owner, to: .good, by: .none)
    }

    /// Records that nothing is said against the tokens of a device, its app and its controls, or
    /// against those of them that were refused.
    mutating func forgetTokenEnds(
        of device: DeviceID,
        onlyRefused: Bool = false,
        in delivery: borrowing DeliveryTable
    ) {
        forgetTokenEnd(of: .widgets(of: device), onlyRefused: onlyRefused)
        forgetTokenEnd(of: .app(of: device), onlyRefused: onlyRefused)
        if controlTokens.isEmpty { return }
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            forgetTokenEnd(of: .control(widget, of: device), onlyRefused: onlyRefused)
            widget = delivery.widgets[widget].nextOfDevice
        }
    }

    /// Sets what APNs has said of a token, which must be there, without listing it.
    mutating func setTokenState(
        of owner: TokenOwner,
        to state: StoredToken.State,
        by end: TokenEnd
    ) {
        switch owner.channel {
        case .widgets:
            pushes[owner.device].tokenState = state
            pushes[owner.device].tokenEnd = end
        case .background:
            appTokens[owner.device] = store(appTokens[owner.device], as: state, by: end)
        case .controls:
            controlTokens[owner.control] = store(controlTokens[owner.control], as: state, by: end)
        }
    }

    /// Stores a token in a new block, with its end after the text unless it is good.
    private mutating func store(
        _ token: StoredToken,
        as state: StoredToken.State,
        by end: TokenEnd
    ) -> StoredToken {
        assert(token.isPresent, "what is said of a token that is not there")
        var block = StoreWriter(capacity: Int(token.count) + TokenEnd.storedByteCount)
        block.put(raw: text(of: token))
        if state != .good { end.write(to: &block) }
        unsafe texts.free(token.text, byteCount: token.byteCount)
        return StoredToken(text: texts.store(block.bytes), count: token.count, state: state)
    }

    // MARK: - All tokens

    /// Calls `body` for the owner of each token of a device.
    func forEachToken<Problem: Error>(
        of device: DeviceID,
        in delivery: borrowing DeliveryTable,
        body: (TokenOwner) throws(Problem) -> Void
    ) throws(Problem) {
        if hasToken(.widgets(of: device), in: delivery) { try body(.widgets(of: device)) }
        if hasToken(.app(of: device), in: delivery) { try body(.app(of: device)) }
        if controlTokens.isEmpty { return }
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            let owner = TokenOwner.control(widget, of: device)
            if hasToken(owner, in: delivery) { try body(owner) }
            widget = delivery.widgets[widget].nextOfDevice
        }
    }

    // MARK: - The table

    /// Writes the token of an app or control, and what APNs has said of it.
    func write(_ token: StoredToken, to writer: inout StoreWriter) {
        writer.put(counted: text(of: token))
        writer.put(token.state.rawValue)
        if token.state != .good { end(of: token).write(to: &writer) }
    }

    /// Restores what APNs has said of the token of an app or control.
    mutating func restoreTokenState(
        of owner: TokenOwner,
        from reader: inout StoreReader
    ) throws(StoreError) {
        let state = try reader.readTokenState()
        if state == .good { return }
        var end = TokenEnd.none
        try end.read(&reader)
        setTokenState(of: owner, to: state, by: end)
    }

    /// Lists the tokens that have ended, after everything else was restored; none has a number
    /// above `last`.
    mutating func restoreEndedTokens(
        last: UInt64,
        in delivery: borrowing DeliveryTable
    ) throws(StoreError) {
        var ends: ContiguousArray<EndedTokens.Entry> = []
        for device in pushes.ids where delivery.isStored(device) {
            let push = pushes[device]
            if push.tokenEnd.hasEnded != push.isTokenDead
                || push.isTokenDead && !hasToken(.widgets(of: device), in: delivery)
                || reachesEndedToken(device, in: delivery)
            {
                throw impossibleEnd(of: device)
            }
            try forEachToken(of: device, in: delivery) { owner throws(StoreError) in
                let end = tokenEnd(of: owner)
                if end.number > last { throw impossibleEnd(of: device) }
                if end.hasEnded { ends.append(EndedTokens.Entry(number: end.number, owner: owner)) }
            }
        }
        if !endedTokens.restore(ends) {
            throw StoreError.corrupt("two push tokens have ended at the same time")
        }
    }

    /// Whether pushes go to a device's widgets by a token that has ended.
    private func reachesEndedToken(
        _ device: DeviceID,
        in delivery: borrowing DeliveryTable
    ) -> Bool {
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable)
            || pushes[device].has(APNsRecord.onlyControls)
        {
            return false
        }
        return tokenState(of: TokenOwner(device: device, channel: record.channel)) != .good
    }

    private func impossibleEnd(of device: DeviceID) -> StoreError {
        StoreError.corrupt("a token of device \(device) has ended in a way that cannot be")
    }

    // MARK: - Checks

    /// Checks that exactly the tokens that have ended are listed.
    func checkEndedTokens(in delivery: borrowing DeliveryTable) throws(InvariantViolation) {
        var (last, listed): (UInt64, Int) = (0, 0)
        for entry in endedTokens.entries {
            let isInOrder = entry.number > last
            last = entry.number
            if !entry.isEmpty { listed += 1 }
            try checkInvariant(
                isInOrder
                    && (entry.isEmpty
                        || delivery.isStored(entry.owner.device)
                            && hasToken(entry.owner, in: delivery)
                            && tokenEnd(of: entry.owner).number == entry.number),
                otherwise: "the end \(entry.number) of a token of \(entry.owner) is listed, "
                    + "and is not the token's, or out of order"
            )
        }
        var ended = 0
        for device in delivery.devices.ids where delivery.isStored(device) {
            try forEachToken(of: device, in: delivery) { owner throws(InvariantViolation) in
                let hasEnded = tokenEnd(of: owner).hasEnded
                if hasEnded { ended += 1 }
                try checkInvariant(
                    !hasEnded || tokenState(of: owner) != .good,
                    otherwise: "the token of \(owner) has ended, and is good"
                )
            }
        }
        try checkInvariant(
            ended == listed && listed == endedTokens.count,
            otherwise: "\(ended) tokens have ended, \(listed) are listed, and "
                + "\(endedTokens.count) are counted"
        )
    }
}
