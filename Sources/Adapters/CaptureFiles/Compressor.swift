internal import Basics
internal import CZstd
internal import StoreFormat

/// Compresses chunks with zstd, in memory that it keeps.
@safe
final class Compressor {
    private let context: OpaquePointer
    private let level: CInt

    init(level: Int) {
        unsafe context = ZSTD_createCCtx()
        self.level = CInt(level)
    }

    deinit { unsafe ZSTD_freeCCtx(context) }

    /// Compresses bytes into `output`, replacing its content. Returns false if the result is not
    /// smaller; the bytes should then be stored as they are.
    func compress(_ bytes: ByteView, into output: inout StoreWriter) -> Bool {
        output.clear()
        let limit = ZSTD_compressBound(bytes.count)
        let destination = unsafe output.extend(limit)
        let count = unsafe ZSTD_compressCCtx(
            context,
            destination,
            limit,
            bytes.address,
            bytes.count,
            level
        )
        if ZSTD_isError(count) != 0 || count >= bytes.count { return false }
        output.truncate(to: count)
        return true
    }
}
