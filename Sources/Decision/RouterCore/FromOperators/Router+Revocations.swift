package import Basics
internal import FrameCodec

/// The signed tokens of a device that an operator has revoked.
package struct TokenRevocationView: Equatable, Sendable {
    /// The device's id.
    package let device: String
    /// Tokens that were issued before this date are not good, nor are those that do not say when.
    package let before: WallTime
}

/// Revoking the signed tokens of one device, without a change of the key that others share.
extension Router {
    /// The date before which the tokens of a device of an app are revoked; nil for none.
    package func tokensRevokedBefore(device: String, app: String) -> WallTime? {
        if state.revocations.entries.isEmpty { return nil }
        guard let app = state.reloads.catalog.appsByName[Array(app.utf8)] else { return nil }
        return state.revocations.before(Array(device.utf8), of: app)
    }

    /// The number of devices whose tokens are revoked.
    package var revocationCount: Int { state.revocations.entries.count }

    /// Revokes the tokens of a device that were issued before a date. A date before one that was
    /// given earlier changes nothing, so that a mistake makes no token good again. The device need
    /// not be stored, nor its app declared any more. Returns the date before which they are revoked
    /// from now on, and that of before; nil if none were.
    ///
    /// - Throws: `app-unknown`, or `quota-exceeded` if there are too many.
    package mutating func revokeTokens(
        of device: String,
        app: String,
        before date: WallTime,
        now: Instant
    ) throws(ProtocolError) -> (date: WallTime, former: WallTime?) {
        tick(now)
        let app = try knownApp(app)
        let name = Array(device.utf8)
        let former = state.revocations.before(name, of: app)
        if let former, former >= date { return (former, former) }
        if !state.revocations.hasRoom(for: name, of: app) {
            throw ProtocolError(
                .quotaExceeded,
                message: "the tokens of \(state.revocations.count(of: app)) devices of this app "
                    + "and of \(revocationCount) in all are revoked; an app may have "
                    + "\(TokenRevocations.appLimit) and all \(TokenRevocations.limit): take the "
                    + "key that signs them out of the app file instead"
            )
        }
        name.withByteView { commit(.tokensRevoked(app: app, device: $0, before: date)) }
        return (date, former)
    }

    /// Takes the revocation of a device's tokens back.
    ///
    /// - Returns: the date before which they were revoked; nil if none were.
    /// - Throws: `app-unknown`.
    package mutating func withdrawRevocation(
        of device: String,
        app: String,
        now: Instant
    ) throws(ProtocolError) -> WallTime? {
        tick(now)
        let app = try knownApp(app)
        let name = Array(device.utf8)
        guard let former = state.revocations.before(name, of: app) else { return nil }
        name.withByteView { commit(.tokensRevoked(app: app, device: $0, before: nil)) }
        return former
    }

    /// A page of the devices of an app whose tokens are revoked.
    ///
    /// - Parameters:
    ///   - app: the app's name.
    ///   - last: the last device of the page before; nil for the first page.
    ///   - limit: the most devices to return.
    /// - Returns: the devices, and whether others follow.
    /// - Throws: `app-unknown`, or `device-unknown` if the tokens of `last` are no longer revoked.
    /// - Complexity: proportional to all that are revoked, at most `TokenRevocations.limit`.
    package func revocations(
        of app: String,
        after last: String?,
        limit: Int
    ) throws(ProtocolError) -> (found: [TokenRevocationView], isWhole: Bool) {
        let app = try knownApp(app)
        var place = 0
        if let last {
            guard let found = state.revocations.find(Array(last.utf8), of: app) else {
                throw ProtocolError(
                    .deviceUnknown,
                    message: "no tokens of \(quotation(last)) are revoked any more"
                )
            }
            place = found + 1
        }
        var found: [TokenRevocationView] = []
        for entry in state.revocations.entries[place...] where entry.app == app {
            if found.count == limit { return (found, false) }
            found.append(
                TokenRevocationView(
                    device: String(decoding: entry.device, as: UTF8.self),
                    before: entry.before
                )
            )
        }
        return (found, true)
    }
}
