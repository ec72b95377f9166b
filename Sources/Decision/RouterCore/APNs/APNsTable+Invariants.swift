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
        try checkEndedTokens(in: delivery)
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
