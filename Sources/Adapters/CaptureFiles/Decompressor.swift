internal import Basics
internal import CZstd
internal import StoreFormat

/// Decompresses what zstd has compressed; safe with untrusted input.
@safe
final class Decompressor {
    private let context: OpaquePointer

    init() { unsafe context = ZSTD_createDCtx() }

    deinit { unsafe ZSTD_freeDCtx(context) }

    /// Decompresses bytes into `output`, replacing its content. Returns true if they yield exactly
    /// `byteCount` bytes.
    ///
    /// Never writes more than `byteCount` bytes, whatever the input claims.
    func decompress(_ bytes: ByteView, to byteCount: Int, into output: inout StoreWriter) -> Bool {
        precondition(byteCount >= 0, "a chunk of \(byteCount) bytes")
        output.clear()
        let destination = unsafe output.extend(byteCount)
        let count = unsafe ZSTD_decompressDCtx(
            context,
            destination,
            byteCount,
            bytes.address,
            bytes.count
        )
        return ZSTD_isError(count) == 0 && count == byteCount
    }
}
