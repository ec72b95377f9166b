internal import CZstd
internal import DataStructures
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

    deinit {
        unsafe ZSTD_freeCCtx(context)
    }

    /// Puts the compressed bytes into `output`, alone.
    ///
    /// - Returns: whether they are fewer; if not, the bytes are better stored as they are.
    func compress(_ bytes: ByteView, into output: inout StoreWriter) -> Bool {
        output.clear()
        let limit = ZSTD_compressBound(bytes.count)
        let place = unsafe output.extend(limit)
        let count = unsafe ZSTD_compressCCtx(
            context,
            place,
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

/// Gives back what zstd has compressed; nothing in it is trusted.
@safe
final class Decompressor {
    private let context: OpaquePointer

    init() {
        unsafe context = ZSTD_createDCtx()
    }

    deinit {
        unsafe ZSTD_freeDCtx(context)
    }

    /// Whether the bytes give exactly `byteCount` bytes, which are put into `output`, alone.
    ///
    /// However much the bytes would give, no more than `byteCount` are written.
    func decompress(_ bytes: ByteView, to byteCount: Int, into output: inout StoreWriter) -> Bool {
        output.clear()
        let place = unsafe output.extend(byteCount)
        let count = unsafe ZSTD_decompressDCtx(
            context,
            place,
            byteCount,
            bytes.address,
            bytes.count
        )
        return ZSTD_isError(count) == 0 && count == byteCount
    }
}
