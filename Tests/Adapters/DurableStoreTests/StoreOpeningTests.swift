import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("Opening a store")
struct StoreOpeningTests {
    let folder = TestFolder()
    private var path: String { folder.path(of: "store") }

    private func open(_ createIfMissing: Bool = true) throws -> RocksStore {
        try RocksStore(path: path, createIfMissing: createIfMissing)
    }

    @Test("makes a folder that no other user may read")
    func permissions() throws {
        _ = try open()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test("refuses a store that is not there")
    func missing() {
        #expect(storeError { _ = try open(false) }?.code == .missing)
        mkdir(path, 0o700)
        #expect(storeError { _ = try open(false) }?.code == .missing)
        #expect(TestFolder.names(path).isEmpty)
    }

    /// Between `fork` and `exec`, a child process has a duplicate of every descriptor.
    @Test("succeeds after another one was closed, although a child has its descriptors still")
    func inheritedLock() throws {
        _ = try open()
        var duplicates: [CInt] = []
        defer { for descriptor in duplicates { close(descriptor) } }
        do {
            let store = try open()
            #expect(storeError { _ = try open() }?.code == .locked)
            let folder = try #require(FileIdentity(path: path))
            duplicates = (3..<1_024)
                .filter { FileIdentity(descriptor: $0) == folder }
                .map { dup($0) }
            #expect(!duplicates.isEmpty)
            store.close()
        }
        _ = try open()
    }

    @Test("refuses a folder that holds something else, and leaves it as it was")
    func foreign() throws {
        mkdir(path, 0o755)
        TestFolder.write([1], to: folder.path(of: "store/thesis.txt"))
        let error = try #require(storeError { _ = try open() })
        #expect(error.code == .unusable && error.message.contains("thesis.txt"))
        #expect(TestFolder.names(path) == ["thesis.txt"])
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o755)
    }

    @Test("refuses a file in place of a folder, and passes over a name that is gone")
    func goneMeanwhile() throws {
        mkdir(path, 0o755)
        // Like a folder that a router deletes after its name was read.
        symlink("nothing", folder.path(of: "store/sealed-7"))
        try StoreFolder(path: path).refuseForeignFiles()
        TestFolder.write([1], to: folder.path(of: "store/sealed-8"))
        let error = try #require(storeError { try StoreFolder(path: path).refuseForeignFiles() })
        #expect(error.code == .unusable && error.message.contains("sealed-8 is no folder"))
    }

    @Test("refuses a database, which may be a store of format 1")
    func foreignDatabase() throws {
        do {
            let database = try RocksDatabase(path: path, access: .readWrite)
            [1].withByteView { database.put($0, value: $0) }
            try database.commit()
            try database.flush()
        }
        let error = storeError { _ = try open() }
        #expect(error?.code == .older && error?.message.contains("stores of format 1") == true)
    }

    /// The files are those that the making of a store writes, one after the other.
    @Test("continues where the creation of a store was interrupted", arguments: 0..<6)
    func interruptedMaking(step: Int) throws {
        let other = folder.path(of: "other")
        _ = try { try RocksStore(path: other, createIfMissing: true) }()
        mkdir(path, 0o700)
        let segment = "journal/00000000000000000001.log"
        if step > 0 { mkdir("\(path)/journal", 0o700) }
        for name in ["STORE", "STORE.copy", segment, "CONTENTS.new"].prefix(max(0, step - 1)) {
            let source = name == "CONTENTS.new" ? "CONTENTS" : name
            TestFolder.write(
                TestFolder.read("\(other)/\(source)").dropLast(),
                to: "\(path)/\(name)"
            )
        }
        #expect(storeError { _ = try open(false) }?.code == .missing)
        let description = try { try open().description }()
        let store = try open(false)
        #expect(store.description == description)
        var journal = Journal()
        try journal.append([[1]], to: store)
    }

    @Test("refuses a second router")
    func locked() throws {
        let first = try open()
        let error = storeError { _ = try open() }
        #expect(error?.code == .locked)
        #expect(
            error?.message.contains("another process uses the store \(path); stop it first") == true
        )
        // Also while the first one has its database closed.
        first.close()
        #expect(storeError { _ = try open() }?.code == .locked)
        withExtendedLifetime(first) {}
    }

    @Test("knows the lock of RocksDB itself")
    func rocksLock() throws {
        let first = try open()
        let error = storeError {
            _ = try RocksDatabase(path: "\(path)/table", access: .readWrite)
        }
        #expect(error?.code == .locked)
        withExtendedLifetime(first) {}
    }

    /// The file system sees the thread as another user meanwhile; only root can play this.
    private func asAnotherUser<Result>(_ body: () throws -> Result) rethrows -> Result {
        // Glibc's module does not show it; it goes for one thread only, so other tests go on.
        typealias Call = @convention(c) (uid_t) -> CInt
        let setUser = unsafeBitCast(dlsym(nil, "setfsuid"), to: Call.self)
        _ = setUser(65_534)
        defer { _ = setUser(0) }
        return try body()
    }

    @Test("says that the user has no permission", .enabled(if: geteuid() == 0))
    func noPermission() throws {
        try { _ = try open() }()
        let error = asAnotherUser { storeError { _ = try open() } }
        #expect(error?.code == .unusable)
        #expect(error?.message.contains("Permission denied") == true)
        let making = asAnotherUser {
            storeError { _ = try RocksStore(path: "/reload-router-store", createIfMissing: true) }
        }
        #expect(making?.code == .unusable)
    }

    @Test("says that it may not write to the folder", .enabled(if: geteuid() == 0))
    func readOnlyFolder() throws {
        try { _ = try open() }()
        chmod(folder.path, 0o755)
        chmod(path, 0o555)
        let error = asAnotherUser { storeError { _ = try open() } }
        #expect(error?.code == .unusable)
        #expect(error?.message.contains("Permission denied") == true)
    }

    @Test("refuses a store of a newer version, and says which")
    func newer() throws {
        try { _ = try RocksStore(path: path, createIfMissing: true, version: 5) }()
        let error = try #require(storeError { _ = try open() })
        #expect(error.code == .newer)
        #expect(
            error.message
                == "the store is of format 5; this version reads formats 3 to 4"
        )
    }

    @Test("refuses a store of several partitions, and so do the tools")
    func partitions() throws {
        var description = try { try open().description }()
        #expect(description.partitionCount == 1)
        description.partitionCount = 4
        #expect(description.partitions.count == 4)
        var writer = StoreWriter()
        description.write(to: &writer)
        for name in ["STORE", "STORE.copy"] {
            TestFolder.write(writer.bytes.array, to: "\(path)/\(name)")
        }
        let files = TestFolder.contents(path)
        let copy = folder.path(of: "copy")
        let tries: [() throws -> Void] = [
            { _ = try open() },
            { if let problem = try StoreCheck(path: path).problems.first { throw problem } },
            { _ = try StoreStatistics(path: path) },
            { _ = try StoreView(path: path).backup(to: copy) },
            { _ = try StoreRepair(path: path) },
        ]
        for action in tries {
            let error = storeError(action)
            #expect(error?.code == .partitions)
            #expect(
                error?.message
                    == "the store is divided into 4 partitions; this router reads stores of 1"
            )
        }
        #expect(TestFolder.contents(path) == files)
    }

    @Test("refuses numbers of partitions that there cannot be", arguments: [0, 65, 1 << 31])
    func impossiblePartitions(count: Int) throws {
        var description = try { try open().description }()
        description.partitionCount = count
        var writer = StoreWriter()
        description.write(to: &writer)
        TestFolder.write(writer.bytes.array, to: "\(path)/STORE")
        #expect(storeError { _ = try open() }?.code == .corrupt)
    }

    @Test("refuses format 0, which there never was, and so do the tools")
    func formatZero() throws {
        var description = try { try open().description }()
        description.version = 0
        var writer = StoreWriter()
        description.write(to: &writer)
        TestFolder.write(writer.bytes.array, to: "\(path)/STORE")
        let copy = folder.path(of: "copy")
        let tries: [() throws -> Void] = [
            { _ = try open() },
            { if let problem = try StoreCheck(path: path).problems.first { throw problem } },
            { _ = try StoreStatistics(path: path) },
            { _ = try StoreView(path: path).backup(to: copy) },
        ]
        let errors = tries.map { storeError($0)?.code }
        #expect(errors == [.corrupt, .corrupt, .corrupt, .corrupt])
        // There is a copy.
        #expect(try StoreRepair(path: path).salvaged.count == 1)
        #expect(TestFolder.names(folder.path) == ["store"])
    }

    @Test("says that no path can be this long, or lead in a circle")
    func badPaths() {
        let long = folder.path(of: String(repeating: "x", count: 300))
        #expect(
            storeError { _ = try RocksStore(path: long, createIfMissing: true) }?.code == .unusable
        )
        #expect(storeError { _ = try StoreView(path: long) }?.code == .unusable)
        symlink("ring", folder.path(of: "ring"))
        let ring = folder.path(of: "ring/store")
        #expect(
            storeError { _ = try RocksStore(path: ring, createIfMissing: true) }?.code == .unusable
        )
        #expect(storeError { _ = try StoreView(path: ring) }?.code == .unusable)
    }

    @Test("finds every flipped bit of its format record, and every cut")
    func description() throws {
        var generator = SeededGenerator(seed: 8)
        let description = StoreDescription.random(
            version: StoreDescription.currentVersion,
            madeAt: 5,
            using: &generator
        )
        var writer = StoreWriter()
        description.write(to: &writer)
        let bytes = writer.bytes.array
        let read = try bytes.withByteView { view throws(StoreError) in
            try StoreDescription(view, upTo: StoreDescription.currentVersion)
        }
        #expect(read == description)
        for bit in 0..<(bytes.count * 8) {
            var broken = bytes
            broken[bit / 8] ^= 1 << UInt8(bit % 8)
            let error = storeError {
                _ = try broken.withByteView { try StoreDescription($0, upTo: read.version) }
            }
            #expect(error?.code == .corrupt)
        }
        for count in 0..<bytes.count {
            let cut = Array(bytes.prefix(count))
            let error = storeError {
                _ = try cut.withByteView { try StoreDescription($0, upTo: read.version) }
            }
            #expect(error?.code == .corrupt)
        }
    }
}
