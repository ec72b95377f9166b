internal import CRocksDB
internal import StoreFormat

/// Where RocksDB writes its error: a sentence in English, which the caller frees.
typealias RocksErrorPointer = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Calls RocksDB, and throws the error that it reports.
func checked<Result>(_ call: (RocksErrorPointer) -> Result) throws(StoreError) -> Result {
    var sentence: UnsafeMutablePointer<CChar>?
    let result = unsafe withUnsafeMutablePointer(to: &sentence) { errorOut in
        unsafe call(errorOut)
    }
    guard let text = unsafe sentence else { return result }
    defer { unsafe rocksdb_free(text) }
    throw StoreError(rocks: unsafe String(cString: text))
}

extension StoreError {
    /// Translates RocksDB's error sentence.
    ///
    /// RocksDB's C interface has no error codes. The parts of sentences listed here come from
    /// `strerror` and from its own `Status`, and have not changed for ten years. Any other sentence
    /// means `io`.
    init(rocks sentence: String) {
        // If a file of the table is missing, RocksDB reports the name that LevelDB would have used.
        let sentence = sentence.replacing(".ldb", with: ".sst")
        let meanings: [(String, Code, String)] = [
            ("No space left on device", .full, "the disk is full"),
            ("Disk quota exceeded", .full, "the disk quota is used up"),
            ("File too large", .full, "a file may not grow any further"),
            ("lock hold by current process", .locked, "another process uses this store"),
            ("While lock file", .locked, "another process uses this store"),
            ("Permission denied", .unusable, "this user may not use the store"),
            ("Read-only file system", .unusable, "the store lies on a read-only file system"),
            ("File name too long", .unusable, "the store's path is too long"),
            ("Too many levels of symbolic links", .unusable, "the store's path leads in a circle"),
            ("create_if_missing is false", .missing, "there is no store"),
            ("No such file or directory", .corrupt, "a file of the store is missing"),
            ("Corruption", .corrupt, "the store is damaged"),
        ]
        for (part, code, meaning) in meanings where sentence.contains(part) {
            self.init(code, message: "\(meaning) (\(sentence))")
            return
        }
        self.init(.io, message: "the store failed (\(sentence))")
    }
}
