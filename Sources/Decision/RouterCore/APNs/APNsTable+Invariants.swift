internal import Basics

extension APNsTable {
    /// Checks the table, and that it agrees with the devices: one that APNs reaches has a good
    /// token, and exactly the tokens that have ended are listed.
    func checkInvariants(in delivery: borrowing DeliveryTable) throws(InvariantViolation) {
        try checkPart("APNsTable.pushes", by: pushes.checkInvariants())
        try checkPart("APNsTable.tokenIndex", by: tokenIndex.checkInvariants())
        try checkPart("APNsTable.texts", by: texts.checkInvariants())
        for device in delivery.devices.ids where delivery.devices.isInUse(device) {
            try checkPush(to: device, in: delivery)
        }
        try checkTexts(in: delivery)
        try checkEndedTokens(in: delivery)
    }

    /// Checks that the texts of exactly the tokens that there are take memory, and that those which
    /// can be used are in the index.
    private func checkTexts(in delivery: borrowing DeliveryTable) throws(InvariantViolation) {
        var (usedByteCount, indexedCount) = (0, 0)
        func count(_ token: StoredToken, isIndexed: Bool) {
            if !token.isPresent { return }
            usedByteCount += ByteArena.size(ofBlock: token.byteCount)
            if isIndexed && StoredToken.isUsable(text(of: token)) { indexedCount += 1 }
        }
        for device in delivery.devices.ids where delivery.devices.isInUse(device) {
            count(delivery.devices[device].widgetsToken, isIndexed: true)
            count(appToken(device), isIndexed: true)
            var widget = delivery.devices[device].firstWidget
            while !widget.isNone {
                count(controlToken(widget), isIndexed: false)
                widget = delivery.widgets[widget].nextOfDevice
            }
        }
        try checkInvariant(
            texts.usedByteCount == usedByteCount,
            otherwise: "tokens take \(usedByteCount) bytes; \(texts.usedByteCount) are in use"
        )
        try checkInvariant(
            tokenIndex.count == indexedCount,
            otherwise: "\(indexedCount) tokens can be used; \(tokenIndex.count) are in the index"
        )
    }

    /// Checks that a device that APNs reaches has a token that is not dead.
    private func checkPush(
        to device: DeviceID,
        in delivery: borrowing DeliveryTable
    ) throws(InvariantViolation) {
        let record = delivery.devices[device]
        try checkInvariant(
            pushes.has(device)
                || !hasToken(device, in: delivery) && !record.has(DeviceRecord.pushing),
            otherwise: "device \(device) has a token, and no record of its pushes"
        )
        if !record.has(DeviceRecord.pushable) { return }
        let push = pushes[device]
        let hasChannel =
            record.has(DeviceRecord.background)
            ? appToken(device).state == .good && appToken(device).isPresent
            : record.widgetsToken.isPresent && !push.isTokenDead
        let hasControls = hasControl(device, in: delivery) { $0.state == .good }
        try checkInvariant(
            (hasChannel || push.has(APNsRecord.onlyControls))
                && (hasControls || !push.has(APNsRecord.controls))
                && (push.has(APNsRecord.controls) || !push.has(APNsRecord.onlyControls)),
            otherwise: "pushes go to device \(device), which has no token for them or a dead one"
        )
    }
}
