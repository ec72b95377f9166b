package import CaptureFormat

/// How a recording is written: its limits and intervals.
package struct CaptureWriterOptions: Sendable {
    /// Bytes of a file after which the next one is started.
    package var fileByteLimit = 1 << 30
    /// Time spanned by a file's records after which the next one is started, in seconds.
    package var fileSecondLimit = 3_600
    /// True to replace values by hashes, under a random key that is not kept.
    package var isRedacted = false
    /// Bytes of records that may wait for the thread; more are refused.
    package var queueByteLimit = 64 << 20
    /// Compression level of zstd, 1 to 19. On pushes, 1 is faster than 3 and gives no larger files.
    package var level = 1
    /// Number of files that are kept, the newest; nil keeps all.
    package var keepsFiles: Int?
    /// Age at which a chunk is written, and interval between syncs, in ms.
    package var chunkMilliseconds = 1_000
    /// Time for which records are gathered before the thread takes them, in ms, unless there are
    /// many.
    package var gatherMilliseconds = 50
    /// Interval between attempts after a failure, in ms.
    package var retryMilliseconds = 3_000

    package init() {}
}

/// Metrics of a recording since it began.
package struct CaptureWriterStatistics: Sendable {
    /// Files that were started.
    package var files = 0
    /// Path of the newest file.
    package var path = ""
    /// Chunks that were written.
    package var chunks = 0
    /// Records in these chunks.
    package var records = 0
    /// Bytes of these records before compression.
    package var rawBytes = 0
    /// Bytes that these chunks take in the files.
    package var storedBytes = 0
    /// Records that were queued and lost when writing failed; records that `submit` refused are not
    /// counted.
    package var lost = 0
    /// Failures so far.
    package var failures = 0
    /// Why nothing can be written at present; nil while writing works.
    package var failure: CaptureError?
    /// Bytes of records that wait for the thread.
    package var waitingBytes = 0
    /// CPU time of the thread in ns, as of the last chunk.
    package var threadNanoseconds: Int64 = 0
}
