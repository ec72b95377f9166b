internal import Basics

/// What APNs has said of a push token. The numbers are stored.
package enum TokenState: UInt8, BitwiseCopyable, Sendable {
    /// Nothing against it.
    case good
    /// It is dead: the app was removed, or has another token now.
    case dead
    /// It was never valid for the app, or for the service.
    case refused

    /// The name in answers to operators.
    package var name: String { "\(self)" }
}

/// A push token of an app or of a control, and what APNs has said of it.
///
///     good              text
///     dead, refused     text │ `TokenEnd`
///
/// That of a device's widgets is made of its `DeviceRecord`; what APNs has said of it is in its
/// `APNsRecord`, and `state` says nothing.
struct StoredToken: BitwiseCopyable {
    typealias State = TokenState

    /// The place of a token that was not given.
    static var none: StoredToken { StoredToken() }

    /// Where the token begins in the arena `APNsTable.texts`.
    var text = ByteArena.none
    var count: UInt16 = 0
    var state = State.good

    /// Whether a token was given.
    var isPresent: Bool { text != ByteArena.none }
    /// The length of its block in the arena.
    var byteCount: Int { Int(count) + (state == .good ? 0 : TokenEnd.storedByteCount) }

    /// The memory of the token of an app or control in bytes, as `StoredCost` counts them.
    var ownCost: Int { isPresent ? StoredCost.ownToken(Int(count)) : 0 }
    /// The memory of the token of a device's widgets.
    var costOfWidgets: Int { isPresent ? StoredCost.pushToken + StoredCost.text(Int(count)) : 0 }

    /// Whether a text can be a push token: hexadecimal digits, which can be part of a path.
    static func isUsable(_ token: ByteView) -> Bool {
        if token.count == 0 || token.count % 2 != 0 { return false }
        for index in 0..<token.count {
            switch token[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                break
            default: return false
            }
        }
        return true
    }
}
