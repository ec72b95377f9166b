internal import CRocksDB
internal import CRocksOptions

/// The limits of RocksDB's memory and files.
enum RocksLimits {
    /// The bytes of the table that are gathered in memory before they are written to a file; less
    /// on a small machine.
    static let tableBuffer = 32 << 20
    /// The most such buffers of the table in memory. `RocksStore.isTableBusy` keeps the table below
    /// this limit, because at the limit RocksDB stops the writer, which also writes the journal.
    static let tableBufferCount: Int32 = 8
    /// The number of buffers waiting to be written at which the table counts as busy.
    static let tableBuffersWaiting: UInt64 = 3
    /// The size of the table's files, in bytes.
    static let tableFile: UInt64 = 64 << 20
    /// The size of a file's blocks, in bytes. It is large because nothing is looked up by key:
    /// large blocks compress better, and need less memory for their index.
    static let tableBlock = 64 << 10
    /// The size of the cache of blocks, in bytes.
    static let blockCache = 4 << 20
    /// The bytes that a scan reads ahead.
    static let readAhead = 4 << 20
    /// The most bytes of a write batch's memory that are kept for the next one.
    static let batch = 8 << 20
    /// The size of RocksDB's list of files (MANIFEST) at which it is written anew, in bytes.
    static let fileList = 16 << 20
}

/// How a database is opened.
enum RocksAccess {
    /// By the one router that has locked the store.
    case readWrite
    /// Beside a running router: takes no lock and writes nothing.
    case readOnly
}

/// RocksDB's options. The caller must destroy what these functions create.
@unsafe
enum RocksOptions {
    /// The options of a database.
    static func database(_ access: RocksAccess, tableBuffer: Int) -> OpaquePointer {
        let plain = unsafe rocksdb_options_create()!
        defer { unsafe rocksdb_options_destroy(plain) }
        let options = unsafe rocksdb_options_create()!
        // The C interface of RocksDB 7.8 has no functions for these options. Records that are not
        // sealed when the store closes are not needed, so they are not flushed. Disk space is not
        // reserved before it is needed.
        var sentence: UnsafeMutablePointer<CChar>?
        unsafe rocksdb_get_options_from_string(
            plain,
            "avoid_flush_during_shutdown=true;allow_fallocate=false",
            options,
            &sentence
        )
        precondition(unsafe sentence == nil, "RocksDB does not know these options")
        unsafe setUp(options, for: access)
        unsafe setUpTable(options, buffer: tableBuffer)
        return unsafe options
    }

    /// Sets the options that depend on the access, and those of all databases.
    private static func setUp(_ options: OpaquePointer, for access: RocksAccess) {
        if access == .readWrite {
            unsafe rocksdb_options_set_create_if_missing(options, 1)
            // This would read a part of every file, for numbers that only `StoreStatistics` needs.
            unsafe rocksdb_options_set_skip_stats_update_on_db_open(options, 1)
        }
        unsafe rocksdb_options_set_paranoid_checks(options, 1)
        // Every file is opened at the start and stays open, so that a reader can still use files
        // that the router has deleted. There are few of them.
        unsafe rocksdb_options_set_max_open_files(options, -1)
        unsafe rocksdb_options_set_max_file_opening_threads(options, 2)
        unsafe rocksdb_options_set_max_background_jobs(options, 2)
        unsafe lowerMergingPriority()
        unsafe rocksdb_options_set_stats_dump_period_sec(options, 0)
        unsafe rocksdb_options_set_stats_persist_period_sec(options, 0)
        unsafe rocks_options_disable_info_log(options)
        unsafe rocks_options_set_fail_stop(options)
        unsafe rocksdb_options_set_max_manifest_file_size(options, RocksLimits.fileList)
        // The disk writes while a file grows, and not everything at its end.
        unsafe rocksdb_options_set_bytes_per_sync(options, 1 << 20)
    }

    /// Runs the merging of files at low CPU priority, since nothing waits for it.
    ///
    /// The writing of files keeps its priority: on a busy machine it might never end, and the
    /// journal waits for it when its memory is full. The merging threads and their priority belong
    /// to the process: all its databases share them.
    private static func lowerMergingPriority() {
        let system = unsafe rocksdb_create_default_env()!
        unsafe rocksdb_env_lower_thread_pool_cpu_priority(system)
        unsafe rocksdb_env_destroy(system)
    }

    /// Options that keep RocksDB from ever slowing down the writer, which also writes the journal;
    /// and how files are laid out. The sizes of the table's levels follow the size of the last one
    /// (dynamic level sizes), which limits outdated records to about a tenth.
    private static func setUpTable(_ options: OpaquePointer, buffer: Int) {
        unsafe rocksdb_options_set_level0_slowdown_writes_trigger(options, 1 << 20)
        unsafe rocksdb_options_set_level0_stop_writes_trigger(options, 1 << 20)
        unsafe rocksdb_options_set_soft_pending_compaction_bytes_limit(options, 0)
        unsafe rocksdb_options_set_hard_pending_compaction_bytes_limit(options, 0)
        unsafe rocksdb_options_set_write_buffer_size(options, buffer)
        unsafe rocksdb_options_set_max_write_buffer_number(options, RocksLimits.tableBufferCount)
        unsafe rocksdb_options_set_target_file_size_base(options, RocksLimits.tableFile)
        unsafe rocksdb_options_set_level_compaction_dynamic_level_bytes(options, 1)
        unsafe rocksdb_options_set_compression(options, Int32(rocksdb_lz4_compression))

        let table = unsafe rocksdb_block_based_options_create()!
        let cache = unsafe rocksdb_cache_create_lru(RocksLimits.blockCache)!
        unsafe rocksdb_block_based_options_set_block_cache(table, cache)
        unsafe rocksdb_block_based_options_set_block_size(table, RocksLimits.tableBlock)
        unsafe rocksdb_block_based_options_set_format_version(table, 5)
        unsafe rocksdb_options_set_block_based_table_factory(options, table)
        unsafe rocksdb_cache_destroy(cache)
        unsafe rocksdb_block_based_options_destroy(table)
    }
}
