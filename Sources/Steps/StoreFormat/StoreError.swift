/// Why a call of the store failed.
@usableFromInline
package typealias StoreError = CodedError<StoreErrorCode>

/// The class of a store's failure; raw values are the codes shown to operators.
@usableFromInline
package enum StoreErrorCode: String, Equatable, Sendable, CaseIterable {
    /// A record does not match its checksum, its content is impossible, or a file is missing.
    case corrupt = "store-corrupt"
    /// A record that must follow is missing.
    case gap = "store-gap"
    /// The store was written by a version of the router whose format this one no longer reads.
    case older = "store-older"
    /// The store was written by a newer version of the router.
    case newer = "store-newer"
    /// The store is divided into another number of partitions than its reader serves, or what was
    /// read is another partition's.
    case partitions = "store-partitions"
    /// Another process uses the store.
    case locked = "store-locked"
    /// There is no store in the folder.
    case missing = "store-missing"
    /// What is at the path is not a store, or this user may not use it.
    case unusable = "store-unusable"
    /// The folder has been moved, removed or replaced since the store was opened.
    case replaced = "store-replaced"
    /// The disk is full.
    case full = "store-full"
    /// Reading or writing failed with an error of the system.
    case io = "store-io"
}

extension StoreError {
    /// The error of what was read and cannot be; the message is a sentence without its full stop.
    package static func corrupt(_ message: String) -> StoreError {
        StoreError(.corrupt, message: message)
    }

    /// The same error, with what it was found in before its message.
    package func found(in place: String) -> StoreError {
        StoreError(code, message: "\(place): \(message)")
    }

    /// Refuses a format of `what`, which begins a sentence, that this version of the router does
    /// not read.
    ///
    /// - Throws: `older` or `newer`.
    package static func require<Format: FixedWidthInteger>(
        _ format: Format,
        of what: @autoclosure () -> String,
        in readable: ClosedRange<Format>
    ) throws(StoreError) {
        if readable.contains(format) { return }
        let (oldest, newest) = (readable.lowerBound, readable.upperBound)
        throw StoreError(
            format < oldest ? .older : .newer,
            message: "\(what()) is of format \(format); this version reads "
                + (oldest == newest ? "format \(newest)" : "formats \(oldest) to \(newest)")
        )
    }

    /// The error of a place where no store is, or none may be.
    package static func unusable(_ message: String) -> StoreError {
        StoreError(.unusable, message: message)
    }
}
