internal import Basics

/// What is known for APNs: the push tokens, and the pushes to each device.
///
///     setPushToken, … ─► tokensRegistered ─► endToken ─► forgetTokenEnd     a token
///     enqueue ─► pushMade ─► settle, unheard, tryOtherService               a push
///
/// The devices that tokens and pushes are of, and their widgets, are in `DeliveryTable`, which is
/// passed in. Of a device's record the flags `pushable`, `background`, `pushing` and `sandbox`
/// belong to this table, and the place of its widgets' token: they are there because delivery reads
/// that record anyway.
struct APNsTable: ~Copyable {
    /// The pushes to devices, by the numbers of `DeliveryTable.devices`; it ends after the highest
    /// number of a device that ever had a token.
    var pushes = TrackedSlab<DeviceID, APNsRecord>()
    /// The tokens to which APNs accepts nothing.
    var endedTokens = EndedTokens()
    /// The devices by app and the tokens of their widgets and of their app, as far as these can be
    /// used: a device that has both is in it twice.
    var tokenIndex = HashIndex()
    /// The tokens of apps on devices, for background pushes.
    var appTokens = NumberedArray<DeviceID, StoredToken>()
    /// The tokens of controls.
    var controlTokens = NumberedArray<WidgetID, StoredToken>()
    /// The texts of the tokens, with their ends (`StoredToken`).
    var texts = ByteArena()
    /// The key of the hashes of tokens. It is secret, so that no client can choose tokens that
    /// collide in `tokenIndex`.
    let hashKey: HashKey
    private let passing = PassedByAddress()

    init(hashKey: HashKey) { self.hashKey = hashKey }

    /// The memory of the table in bytes.
    var byteCount: Int {
        let ownTokens = appTokens.elements.capacity + controlTokens.elements.capacity
        return pushes.byteCount + endedTokens.byteCount + texts.byteCount + tokenIndex.byteCount
            + ownTokens * MemoryLayout<StoredToken>.stride
    }

    /// Forgets the pushes to a device whose number is given to another one, or may be.
    mutating func forgetPushes(to device: DeviceID) {
        if pushes.has(device) { pushes[device] = .empty }
    }

    /// The offset of the hours in which a device's pushes are counted.
    static func phase(of device: DeviceID) -> Milliseconds {
        Milliseconds((UInt64(device.rawValue &* 0x9e37_79b1) * 86_400_000) >> 32)
    }
}
