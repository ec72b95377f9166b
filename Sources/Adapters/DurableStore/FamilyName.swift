/// The column families of a store.
///
///     default                       what is known of the store itself: `StoreFacts`
///     state                         the table
///     journal-00000000000000000001  a segment of the journal, named for its first position
enum FamilyName {
    static let facts = "default"
    static let table = "state"
    private static let journalPrefix = "journal-"

    /// Those that a store is made with.
    static let all = [facts, table, segment(from: 1)]

    static func segment(from position: UInt64) -> String {
        let digits = String(position)
        return journalPrefix + String(repeating: "0", count: 20 - digits.count) + digits
    }

    /// The first position of a segment, or nil if the name is not one's.
    static func firstPosition(_ name: String) -> UInt64? {
        guard name.hasPrefix(journalPrefix) else { return nil }
        guard let position = UInt64(name.dropFirst(journalPrefix.count)) else { return nil }
        return segment(from: position) == name ? position : nil
    }
}
