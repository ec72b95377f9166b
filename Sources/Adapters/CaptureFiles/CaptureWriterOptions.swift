package import CaptureFormat

/// How a recording is written.
package struct CaptureWriterOptions: Sendable {
    /// A file that has so many bytes is followed by another one.
    package var fileByteLimit = 1 << 30
    /// So is one whose records span so many seconds.
    package var fileSecondLimit = 3_600
    /// Whether values are replaced by hashes, under a key that is drawn and not kept.
    package var isRedacted = false
    /// Bytes of records that may wait for the thread; more are refused.
    package var queueByteLimit = 64 << 20
    /// Of zstd, 1 to 19; on pushes 1 takes less time than 3, and no more bytes.
    package var level = 1
    /// So many files of the recording stay, the newest; nil keeps all.
    package var keepsFiles: Int?
    /// A chunk is closed when it is so old, and files are synced as often.
    package var chunkMilliseconds = 1_000
    /// Records wait so long to be taken together, unless there are many.
    package var gatherMilliseconds = 50
    /// After a failure it is tried again so often.
    package var retryMilliseconds = 3_000

    package init() {}
}

/// What a recording has come to.
package struct CaptureWriterStatistics: Sendable {
    /// Files that were begun, and the path of the last one.
    package var files = 0
    package var path = ""
    package var chunks = 0
    /// Records in these chunks, their bytes, and the bytes that the chunks take.
    package var records = 0
    package var rawBytes = 0
    package var storedBytes = 0
    /// Records that had been taken and were lost when writing failed; those that were refused are
    /// not among them.
    package var lost = 0
    /// How often writing has failed.
    package var failures = 0
    /// Why nothing is written at present.
    package var failure: CaptureError?
    /// Bytes of records that wait for the thread.
    package var waitingBytes = 0
    /// CPU time of the thread, in nanoseconds, as of the last chunk.
    package var threadNanoseconds: Int64 = 0
}
