/// Why the store could not do what it was asked.
@usableFromInline
package typealias StoreError = CodedError<StoreErrorCode>

/// What a store cannot do.
@usableFromInline
package enum StoreErrorCode: String, Equatable, Sendable, CaseIterable {
    /// A record does not have the checksum that it says, or is not what it says.
    case corrupt = "store-corrupt"
    /// A record that must follow is not there.
    case gap = "store-gap"
    /// A newer version has written the store.
    case newer = "store-newer"
    /// Another process uses the store.
    case locked = "store-locked"
    /// There is no store at that place.
    case missing = "store-missing"
    /// What is there is no store, or may not be used by this user.
    case unusable = "store-unusable"
    /// Another folder lies where the store was opened, or none.
    case replaced = "store-replaced"
    /// The disk is full.
    case full = "store-full"
    /// The system failed to read or write.
    case io = "store-io"
}
