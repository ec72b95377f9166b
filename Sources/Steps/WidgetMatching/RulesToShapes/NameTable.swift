internal import Basics

/// A name's number; reused once its last reference is released.
struct NameID: SlotNumber {
    let rawValue: UInt32
}

/// The names in rules, configurations and kinds, each stored once with a count of references.
///
///     slots ─► { fingerprint, block, length, id }     block ─► the name's bytes in the arena
///     names[id] ─► { block, length, references, fingerprint }
struct NameTable: ~Copyable {
    private let hashKey: HashKey
    var table = ProbeTable<Slot>()
    var names = Slab<NameID, Name>()
    var bytes = ByteArena()
    /// A name in the hash table.
    struct Slot: ProbeSlot {
        var fingerprint: UInt32
        var block: ArenaBlock
        var length: UInt32
        var id: NameID

        var isEmpty: Bool { id == .none }
        static var empty: Slot { Slot(fingerprint: 0, block: .none, length: 0, id: .none) }
    }

    /// A name by its number.
    struct Name: BitwiseCopyable {
        var block: ArenaBlock
        var length: UInt32
        var references: UInt32
        var fingerprint: UInt32
    }

    /// Bytes allocated, used or not.
    var byteCount: Int { table.byteCount + names.byteCount + bytes.byteCount }
    /// The part of `byteCount` that holds the bytes of names.
    var arenaByteCount: Int { bytes.byteCount }
    /// The number of names in use.
    var count: Int { table.count }

    init(_ hashKey: HashKey) { self.hashKey = hashKey }

    /// The number of a name; nil if it is not stored.
    @inline(__always)
    func find(_ name: ByteView) -> NameID? {
        let fingerprint = fingerprint(of: name)
        var index = table.home(fingerprint)
        while !table[index].isEmpty {
            if matches(table[index], name: name, fingerprint: fingerprint) {
                return table[index].id
            }
            index = table.next(index)
        }
        return nil
    }

    /// The number of a name, stored if it is new, with one more reference.
    mutating func acquire(_ name: ByteView) -> NameID {
        if let known = find(name) {
            names[known].references += 1
            return known
        }
        let fingerprint = fingerprint(of: name)
        let length = UInt32(name.count)
        let block: ArenaBlock = bytes.store(name)
        let id = names.insert(
            Name(block: block, length: length, references: 1, fingerprint: fingerprint)
        )
        table.insert(Slot(fingerprint: fingerprint, block: block, length: length, id: id))
        return id
    }

    /// Adds a reference to a name in use.
    mutating func retain(_ id: NameID) {
        assert(names[id].references > 0, "name \(id) is gone")
        names[id].references += 1
    }

    /// Releases a reference; the last one removes the name.
    mutating func release(_ id: NameID) {
        assert(names[id].references > 0, "a name is released more often than acquired")
        names[id].references -= 1
        if names[id].references > 0 { return }
        let name = names[id]
        var index = table.home(name.fingerprint)
        while table[index].id != id { index = table.next(index) }
        table.remove(at: index)
        unsafe bytes.free(name.block, byteCount: Int(name.length))
        names.remove(id)
    }

    /// The bytes of a name in use.
    func bytes(of id: NameID) -> ByteView {
        assert(names.isInUse(id), "name \(id) is gone")
        return unsafe bytes.view(names[id].block, count: Int(names[id].length))
    }

    /// The half of a name's keyed hash by which the name is found.
    @inline(__always)
    private func fingerprint(of name: ByteView) -> UInt32 {
        UInt32(truncatingIfNeeded: hashKey.hash(name))
    }

    @inline(__always)
    private func matches(_ slot: Slot, name: ByteView, fingerprint: UInt32) -> Bool {
        unsafe slot.fingerprint == fingerprint && Int(slot.length) == name.count
            && bytes.view(slot.block, count: name.count) == name
    }
}

extension NameTable {
    /// The number of a name, stored if it is new, with one more reference.
    mutating func acquire(_ name: String) -> NameID {
        name.withByteView { acquire($0) }
    }
}

/// The name of a payload's member, prepared for lookup.
struct MemberName {
    /// What names are compared by: for a name of up to 16 bytes its first and last eight and its
    /// length, which are the whole name; see `ScanVocabulary.identity`.
    struct Identity: BitwiseCopyable {
        let first: UInt64
        let last: UInt64
        let count: UInt32

        @inline(__always)
        init(first: UInt64, last: UInt64, count: Int) {
            self.first = first
            self.last = last
            self.count = UInt32(truncatingIfNeeded: count)
        }

        @inline(__always)
        static func == (left: Identity, right: Identity) -> Bool {
            left.first == right.first && left.last == right.last && left.count == right.count
        }
    }

    let bytes: ByteView

    @inline(__always)
    init(_ bytes: ByteView) { self.bytes = bytes }

    /// The identity of a name of up to 16 bytes.
    @inline(__always)
    var short: Identity {
        let last = bytes.count > 8 ? bytes.word(at: bytes.count - 8) : 0
        return Identity(first: bytes.prefixWord, last: last, count: bytes.count)
    }

    /// The name's bit, one of 64, chosen by its length and its first byte. Names with different
    /// bits differ.
    @inline(__always)
    var filterBit: UInt64 {
        let first: UInt8 = bytes.has(0) ? bytes[0] : 0
        let word = UInt64(truncatingIfNeeded: bytes.count) &<< 8 | UInt64(first)
        return 1 &<< ((word &* 0x9e37_79b9_7f4a_7c15) &>> 58)
    }
}

extension NameTable {
    /// Asserts that the hash table and `names` have the same names, that each is found by its
    /// bytes, and that references and bytes are counted correctly.
    func checkInvariants(references: [NameID: Int]) {
        table.checkInvariants()
        assert(table.count == names.count, "the tables of names differ in size")
        assert(references.count == names.count, "a name is stored without a reference")
        var byteCount = 0
        for id in names.ids where names.isInUse(id) {
            let name = names[id]
            assert(Int(name.references) == references[id], "references of name \(id)")
            assert(find(bytes(of: id)) == id, "name \(id) is not found by its bytes")
            byteCount += ByteArena.size(ofBlock: Int(name.length))
        }
        assert(bytes.usedByteCount == byteCount, "bytes of names that are gone are kept")
    }
}
