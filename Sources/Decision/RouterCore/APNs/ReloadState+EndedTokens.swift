internal import Basics
internal import StoreFormat

/// Push tokens to which APNs accepts nothing.
extension ReloadState {
    /// Records that a token is of no use until its device registers again.
    ///
    /// - Parameters:
    ///   - owner: whose the token is; it must have one.
    ///   - state: `dead` or `refused`.
    ///   - fault: what APNs has said.
    ///   - since: since when, by Apple's clock; nil if Apple does not say.
    mutating func endToken(
        of owner: TokenOwner,
        as state: StoredToken.State,
        because fault: TokenFault,
        since: WallTime?
    ) {
        // The end of a widgets' token counts among the RELOADs.
        if owner.channel == .widgets { numbers.reload += 1 }
        numbers.tokenEnd = max(numbers.tokenEnd + 1, numbers.reload)
        let end = TokenEnd(
            number: numbers.tokenEnd,
            since: since ?? clock.now.wall,
            fault: fault
        )
        // The token of the widgets has its end in another record.
        let isRegistration = owner.channel != .widgets
        if isRegistration { copyBeforeWrite(of: owner.device) }
        delivery.endToken(of: owner, as: state, by: end)
        if isRegistration { recordChanged(of: owner.device) }
    }

    // MARK: - Restoring

    /// Restores what APNs has said of the token of an app or control.
    mutating func restoreTokenState(
        of owner: TokenOwner,
        from reader: inout StoreReader
    ) throws(StoreError) {
        let state = try reader.readTokenState()
        if state == .good { return }
        var end = TokenEnd.none
        try end.read(&reader)
        delivery.setTokenState(of: owner, to: state, by: end)
    }

    /// Lists the tokens that have ended, after everything else was restored.
    mutating func restoreEndedTokens() throws(StoreError) {
        var ends: ContiguousArray<EndedTokens.Entry> = []
        let last = max(numbers.tokenEnd, numbers.reload)
        for device in delivery.pushes.ids where delivery.isStored(device) {
            let push = delivery.pushes[device]
            if push.tokenEnd.hasEnded != push.isTokenDead
                || push.isTokenDead && !delivery.hasToken(.widgets(of: device))
                || reachesEndedToken(device)
            {
                throw impossibleEnd(of: device)
            }
            try delivery.forEachToken(of: device) { owner throws(StoreError) in
                let end = delivery.tokenEnd(of: owner)
                if end.number > last { throw impossibleEnd(of: device) }
                if end.hasEnded { ends.append(EndedTokens.Entry(number: end.number, owner: owner)) }
            }
        }
        if !delivery.endedTokens.restore(ends) {
            throw StoreError(.corrupt, message: "two push tokens have ended at the same time")
        }
    }

    /// Whether pushes go to a device's widgets by a token that has ended.
    private func reachesEndedToken(_ device: DeviceID) -> Bool {
        let record = delivery.devices[device]
        if !record.has(DeviceRecord.pushable)
            || delivery.pushes[device].has(APNsRecord.onlyControls)
        {
            return false
        }
        return delivery.tokenState(of: TokenOwner(device: device, channel: record.channel)) != .good
    }

    private func impossibleEnd(of device: DeviceID) -> StoreError {
        StoreError(
            .corrupt,
            message: "a token of device \(device) has ended in a way that cannot be"
        )
    }
}
