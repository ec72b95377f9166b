internal import Basics
internal import StoreFormat

/// Which push tokens the record of a device's registration has, and whether it has families.
struct TokenParts: OptionSet {
    let rawValue: UInt8

    /// The token of the device's widgets.
    static var widgets: TokenParts { TokenParts(rawValue: 1) }
    /// The token of the app.
    static var app: TokenParts { TokenParts(rawValue: 2) }
    /// Tokens of controls, with the widgets.
    static var controls: TokenParts { TokenParts(rawValue: 4) }
    /// The families of the widgets, with each of them.
    static var families: TokenParts { TokenParts(rawValue: 8) }

    /// Whether there is any token.
    var hasTokens: Bool { !isSubset(of: .families) }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of device: DeviceID, in delivery: borrowing DeliveryTable, apns: borrowing APNsTable) {
        var parts: TokenParts = []
        if delivery.devices[device].widgetsToken.isPresent { parts.insert(.widgets) }
        if apns.appToken(device).isPresent { parts.insert(.app) }
        if apns.hasControl(device, in: delivery) { parts.insert(.controls) }
        if delivery.hasFamily(device) { parts.insert(.families) }
        self = parts
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        rawValue = try reader.read(UInt8.self)
        if rawValue > 15 { throw reader.corrupt("there are no such push tokens") }
    }
}

extension StoreReader {
    /// Reads a push token.
    mutating func readPushToken() throws(StoreError) -> ByteView {
        let token = try readCounted()
        if token.count >= RouterLimits.pushTokenBytes {
            throw corrupt("a push token of \(token.count) bytes")
        }
        return token
    }

    /// Reads what APNs has said of a token.
    mutating func readTokenState() throws(StoreError) -> StoredToken.State {
        if let state = StoredToken.State(rawValue: try read(UInt8.self)) { return state }
        throw corrupt("there is no such state of a push token")
    }
}
