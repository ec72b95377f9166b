internal import DataStructures
internal import ReloadModel
internal import Times

/// Push tokens to which APNs accepts nothing.
extension DeliveryTable {
    /// Records that the token of a device's widgets is of no use until it registers one.
    ///
    /// - Parameters:
    ///   - device: a device with a token.
    ///   - end: what APNs has said, with a number above those of all former ends.
    ///   - flag: `APNsRecord.dead` or `APNsRecord.refused`.
    mutating func endToken(of device: DeviceID, by end: TokenEnd, flag: UInt8) {
        assert(end.hasEnded && devices[device].pushToken != ByteArena.none)
        forgetTokenEnd(of: device)
        pushes[device].flags |= flag
        pushes[device].tokenEnd = end
        endedTokens.append(device, number: end.number)
    }

    /// Records that nothing is said against a device's token, because it is a new one, or was
    /// registered again, or is removed.
    mutating func forgetTokenEnd(of device: DeviceID) {
        if !pushes.has(device) || !pushes[device].tokenEnd.hasEnded { return }
        endedTokens.remove(number: pushes[device].tokenEnd.number)
        pushes[device].tokenEnd = .none
        pushes[device].flags &= ~(APNsRecord.dead | APNsRecord.refused)
    }

    /// Checks that exactly the devices whose tokens have ended are listed.
    func checkEndedTokens() throws(InvariantViolation) {
        var (last, listed): (UInt64, Int) = (0, 0)
        for entry in endedTokens.entries {
            let isInOrder = entry.number > last
            last = entry.number
            let isEmpty = entry.device.isNone
            if !isEmpty { listed += 1 }
            try checkInvariant(
                isInOrder
                    && (isEmpty
                        || isStored(entry.device) && pushes.has(entry.device)
                            && pushes[entry.device].tokenEnd.number == entry.number),
                of: "DeliveryTable",
                otherwise: "the end \(entry.number) of device \(entry.device)'s token is listed, "
                    + "and is not the device's, or out of order"
            )
        }
        let ended = devices.ids.filter {
            isStored($0) && pushes.has($0) && pushes[$0].tokenEnd.hasEnded
        }
        try checkInvariant(
            ended.count == listed && listed == endedTokens.count,
            of: "DeliveryTable",
            otherwise: "the tokens of \(ended.count) devices have ended, \(listed) are listed, and "
                + "\(endedTokens.count) are counted"
        )
        for device in ended {
            try checkInvariant(
                pushes[device].isTokenDead && devices[device].pushToken != ByteArena.none,
                of: "DeliveryTable",
                otherwise: "the token of device \(device) has ended, and is not there or good"
            )
        }
    }
}
