package import Basics
package import StoreFormat

/// One thing that a store contains, as `StoreView.dump` reports it.
package enum StoreItem {
    case description(StoreDescription)
    /// A record of the table and its body, valid during the call.
    case tableRecord(TableKey, body: ByteView)
    /// A record of the journal, valid during the call.
    case journalRecord(JournalRecord)
    /// Something that cannot be read.
    case problem(StoreError)
}
