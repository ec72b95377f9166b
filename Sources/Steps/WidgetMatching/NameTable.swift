internal import DataStructures

/// A name's number; handed out again after nobody refers to the name any more.
typealias NameID = UInt32

/// The names that rules, configurations and kinds use, each stored once and counted.
///
///     slots ─► { fingerprint, block, length, id }     block ─► the name's bytes in the arena
///     names[id] ─► { block, length, references, fingerprint }
struct NameTable: ~Copyable {
    /// The number of no name.
    static var none: NameID { NameID.max }

    private let hashKey: HashKey
    private var table = ProbeTable<Slot>()
    private var names = Slab<Name>()
    private var bytes = ByteArena()
    struct Slot: ProbeSlot {
        var fingerprint: UInt32
        var block: UInt32
        var length: UInt32
        var id: NameID

        var isEmpty: Bool { id == NameTable.none }
        static var empty: Slot { Slot(fingerprint: 0, block: 0, length: 0, id: NameTable.none) }
    }

    struct Name: BitwiseCopyable {
        var block: UInt32
        var length: UInt32
        var references: UInt32
        var fingerprint: UInt32
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int { table.byteCount + names.byteCount + bytes.byteCount }
    /// Of that, what holds the names themselves.
    var arenaByteCount: Int { bytes.byteCount }
    /// How many names are in use.
    var count: Int { table.count }

    init(_ hashKey: HashKey) {
        self.hashKey = hashKey
    }

    /// The number of a name, or `none`.
    @inline(__always)
    func find(_ name: ByteView) -> NameID {
        let fingerprint = fingerprint(of: name)
        var index = table.home(fingerprint)
        while !table[index].isEmpty {
            if matches(table[index], name, fingerprint) { return table[index].id }
            index = table.next(index)
        }
        return Self.none
    }

    /// The number of a name, with one reference more.
    mutating func acquire(_ name: ByteView) -> NameID {
        let known = find(name)
        if known != Self.none {
            names[known].references += 1
            return known
        }
        let fingerprint = fingerprint(of: name)
        let length = UInt32(name.count)
        let block = bytes.store(name)
        let id = names.insert(
            Name(block: block, length: length, references: 1, fingerprint: fingerprint)
        )
        table.insert(Slot(fingerprint: fingerprint, block: block, length: length, id: id))
        return id
    }

    /// Counts one reference more to a name that is in use.
    mutating func retain(_ id: NameID) {
        assert(names[id].references > 0)
        names[id].references += 1
    }

    /// Takes a reference back; the last one removes the name.
    mutating func release(_ id: NameID) {
        assert(names[id].references > 0, "a name is released more often than acquired")
        names[id].references -= 1
        if names[id].references > 0 { return }
        let name = names[id]
        var index = table.home(name.fingerprint)
        while table[index].id != id { index = table.next(index) }
        table.remove(at: index)
        bytes.free(name.block, Int(name.length))
        names.remove(id)
    }

    /// The bytes of a name in use.
    func bytes(of id: NameID) -> ByteView {
        bytes.view(names[id].block, Int(names[id].length))
    }

    @inline(__always)
    private func fingerprint(of name: ByteView) -> UInt32 {
        UInt32(truncatingIfNeeded: hashKey.hash(name))
    }

    @inline(__always)
    private func matches(_ slot: Slot, _ name: ByteView, _ fingerprint: UInt32) -> Bool {
        slot.fingerprint == fingerprint && Int(slot.length) == name.count
            && bytes.view(slot.block, name.count) == name
    }
}
