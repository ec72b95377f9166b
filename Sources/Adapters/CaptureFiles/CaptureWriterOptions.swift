package import Basics
package import CaptureFormat

/// How a recording is written: its limits and intervals.
package struct CaptureWriterOptions: Sendable {
    /// The size of a file, in bytes, after which the next one is started.
    package var fileByteLimit = 1 << 30
    /// The time spanned by a file's records after which the next one is started, in seconds.
    package var fileSecondLimit = 3_600
    /// True to replace values by hashes, under a random key that is not kept.
    package var isRedacted = false
    /// The most bytes of records that may wait for the thread; further records are refused.
    package var queueByteLimit = 64 << 20
    /// The compression level of zstd, 1 to 19. For recorded pushes, 1 is faster than 3, and the
    /// files are no larger.
    package var level = 1
    /// The number of files that are kept, which are the newest ones; nil keeps all.
    package var keepsFiles: Int?
    /// The age at which a chunk is written, and the interval between syncs.
    package var chunkInterval = Milliseconds.seconds(1)
    /// The time for which records are gathered before the thread takes them; if there are
    /// many, it takes them at once.
    package var gatherInterval = Milliseconds.milliseconds(50)
    /// The interval between attempts after a failure.
    package var retryInterval = Milliseconds.seconds(3)

    /// The defaults: files of 1 GiB or one hour, which are all kept.
    package init() {}
}

/// Metrics of a recording since it began.
package struct CaptureWriterStatistics: Sendable {
    /// The number of files that were started.
    package var files = 0
    /// The path of the newest file.
    package var path = ""
    /// The number of chunks that were written.
    package var chunks = 0
    /// The number of records in these chunks.
    package var records = 0
    /// The size of these records before compression, in bytes.
    package var rawBytes = 0
    /// The size of these chunks in the files, in bytes.
    package var storedBytes = 0
    /// The number of records that were queued and lost when writing failed; those that `submit`
    /// refused are not counted.
    package var lost = 0
    /// The number of failures so far.
    package var failures = 0
    /// Why nothing can be written at present; nil while writing works.
    package var failure: CaptureError?
    /// The size of the records that wait for the thread, in bytes.
    package var waitingBytes = 0
}
