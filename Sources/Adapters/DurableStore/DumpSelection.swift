/// The parts that `StoreView.dump` reports, in addition to the store's description.
package struct DumpSelection: Sendable {
    /// Whether the records of the table are reported.
    package var hasTable = true
    /// Whether the records of the journal are reported.
    package var hasJournal = true
    /// The position of the first record of the journal that is reported.
    package var firstPosition: UInt64 = 0

    /// All of the table and the journal.
    package init() {}
}
