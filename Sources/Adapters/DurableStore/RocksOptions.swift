internal import CRocksDB
internal import CRocksOptions

/// Sizes of what RocksDB keeps in memory and on disk.
enum RocksLimits {
    /// What is gathered of the table before a file is written, in bytes.
    static let tableBuffer = 32 << 20
    /// So many gathered parts of the table may exist; `RocksStore.isTableBusy` keeps them below it,
    /// because beyond it RocksDB stops the writer, which is the journal's, too.
    static let tableBufferCount: Int32 = 8
    /// So many may wait to be written before the table counts as busy.
    static let tableBuffersWaiting: UInt64 = 3
    /// The size of the table's files, in bytes.
    static let tableFile: UInt64 = 64 << 20
    /// Nothing is looked up by key, so the blocks are large: they compress better, and there are
    /// fewer to know of.
    static let tableBlock = 64 << 10
    static let blockCache = 4 << 20
    /// Bytes that a scan reads ahead.
    static let readAhead = 4 << 20
    /// Memory of a batch that is kept for the next one, in bytes.
    static let batch = 8 << 20
    /// The list of files is written anew when it is larger, in bytes.
    static let fileList = 16 << 20
}

/// How a database is opened.
enum RocksAccess {
    case readWrite
    /// Beside a router that runs: takes no lock and writes nothing.
    case readOnly
}

/// RocksDB's options; whoever makes them destroys them.
@unsafe
enum RocksOptions {
    static func database(_ access: RocksAccess) -> OpaquePointer {
        let plain = unsafe rocksdb_options_create()!
        defer { unsafe rocksdb_options_destroy(plain) }
        let options = unsafe rocksdb_options_create()!
        // These have no function of their own in 7.8: what was not sealed when the store closes is not
        // wanted, and no space is taken before it is needed.
        var sentence: UnsafeMutablePointer<CChar>?
        unsafe rocksdb_get_options_from_string(
            plain,
            "avoid_flush_during_shutdown=true;allow_fallocate=false",
            options,
            &sentence
        )
        precondition(unsafe sentence == nil, "RocksDB does not know these options")
        unsafe setUp(options, access)
        return unsafe options
    }

    private static func setUp(_ options: OpaquePointer, _ access: RocksAccess) {
        switch access {
        case .readWrite:
            unsafe rocksdb_options_set_create_if_missing(options, 1)
            // Reads something of every file; only `StoreStatistics` needs what it finds.
            unsafe rocksdb_options_set_skip_stats_update_on_db_open(options, 1)
        case .readOnly:
            // A store of format 1 may end with a batch that was never finished, which nobody was told of;
            // anything else that is not whole is refused (`kTolerateCorruptedTailRecords`).
            unsafe rocksdb_options_set_wal_recovery_mode(options, 0)
        }
        unsafe rocksdb_options_set_paranoid_checks(options, 1)
        // Every file is opened at the start and stays open, so that a reader can go on with files
        // that the router has deleted. There are few of them.
        unsafe rocksdb_options_set_max_open_files(options, -1)
        unsafe rocksdb_options_set_max_file_opening_threads(options, 2)
        unsafe rocksdb_options_set_max_background_jobs(options, 2)
        unsafe yieldProcessors()
        unsafe rocksdb_options_set_stats_dump_period_sec(options, 0)
        unsafe rocksdb_options_set_stats_persist_period_sec(options, 0)
        unsafe rocks_options_set_no_diary(options)
        unsafe rocks_options_set_fail_stop(options)
        unsafe rocksdb_options_set_max_manifest_file_size(options, RocksLimits.fileList)
        // The disk writes while a file grows, rather than all at its end.
        unsafe rocksdb_options_set_bytes_per_sync(options, 1 << 20)
        unsafe setUpFamily(options)
    }

    /// Lets the merging of files have what processors the loop leaves: nobody waits for it.
    ///
    /// Not the writing of files: where the processors are always busy it would never come to its end,
    /// and the journal waits for it when its memory is full. The threads that merge, and their
    /// priority, are the process's: all databases share them.
    private static func yieldProcessors() {
        let system = unsafe rocksdb_create_default_env()!
        unsafe rocksdb_env_lower_thread_pool_cpu_priority(system)
        unsafe rocksdb_env_destroy(system)
    }

    /// The options of a column family: the table's.
    static func family() -> OpaquePointer {
        let options = unsafe rocksdb_options_create()!
        unsafe setUpFamily(options)
        unsafe setUpTable(options)
        return unsafe options
    }

    /// Nothing ever slows the writer down, which is the journal's, too.
    private static func setUpFamily(_ options: OpaquePointer) {
        unsafe rocksdb_options_set_level0_slowdown_writes_trigger(options, 1 << 20)
        unsafe rocksdb_options_set_level0_stop_writes_trigger(options, 1 << 20)
        unsafe rocksdb_options_set_soft_pending_compaction_bytes_limit(options, 0)
        unsafe rocksdb_options_set_hard_pending_compaction_bytes_limit(options, 0)
        unsafe rocksdb_options_set_compression(options, Int32(rocksdb_no_compression))

        let table = unsafe rocksdb_block_based_options_create()!
        let cache = unsafe rocksdb_cache_create_lru(RocksLimits.blockCache)!
        unsafe rocksdb_block_based_options_set_block_cache(table, cache)
        unsafe rocksdb_block_based_options_set_block_size(table, RocksLimits.tableBlock)
        unsafe rocksdb_block_based_options_set_format_version(table, 5)
        unsafe rocksdb_options_set_block_based_table_factory(options, table)
        unsafe rocksdb_cache_destroy(cache)
        unsafe rocksdb_block_based_options_destroy(table)
    }

    /// Levels whose sizes follow that of the last one keep what is outdated at about a tenth.
    private static func setUpTable(_ options: OpaquePointer) {
        unsafe rocksdb_options_set_write_buffer_size(options, RocksLimits.tableBuffer)
        unsafe rocksdb_options_set_max_write_buffer_number(options, RocksLimits.tableBufferCount)
        unsafe rocksdb_options_set_target_file_size_base(options, RocksLimits.tableFile)
        unsafe rocksdb_options_set_level_compaction_dynamic_level_bytes(options, 1)
        unsafe rocksdb_options_set_compression(options, Int32(rocksdb_lz4_compression))
    }
}
