internal import DataStructures
internal import ReloadModel
internal import StoreFormat
internal import Times

/// Push tokens to which APNs accepts nothing.
extension ReloadState {
    /// Records that the token of a device's widgets is of no use until the device registers again.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - fault: what APNs has said.
    ///   - since: since when, by Apple's clock; nil if Apple does not say.
    ///   - flag: `APNsRecord.dead` or `APNsRecord.refused`.
    mutating func endToken(
        of device: DeviceID,
        because fault: TokenFault,
        since: WallTime?,
        flag: UInt8
    ) {
        numbers.reload += 1
        let end = TokenEnd(number: numbers.reload, since: since ?? clock.now.wall, fault: fault)
        delivery.endToken(of: device, by: end, flag: flag)
    }

    /// Lists the tokens that have ended, after everything else was restored.
    mutating func restoreEndedTokens() throws(StoreError) {
        var ends: ContiguousArray<EndedTokens.Entry> = []
        for device in delivery.pushes.ids where delivery.isStored(device) {
            let push = delivery.pushes[device]
            let end = push.tokenEnd
            if end.hasEnded != push.isTokenDead || end.number > numbers.reload
                || end.hasEnded && delivery.devices[device].pushToken == ByteArena.none
                || end.hasEnded && hasWidgetsChannel(device)
            {
                throw StoreError(
                    .corrupt,
                    message: "the token of device \(device) has ended in a way that cannot be"
                )
            }
            if end.hasEnded { ends.append(EndedTokens.Entry(number: end.number, device: device)) }
        }
        if !delivery.endedTokens.restore(ends) {
            throw StoreError(.corrupt, message: "two push tokens have ended at the same time")
        }
    }

    /// Whether pushes go to a device's widgets by their own token.
    private func hasWidgetsChannel(_ device: DeviceID) -> Bool {
        let record = delivery.devices[device]
        return record.has(DeviceRecord.pushable) && !record.has(DeviceRecord.background)
            && !delivery.pushes[device].has(APNsRecord.onlyControls)
    }
}
