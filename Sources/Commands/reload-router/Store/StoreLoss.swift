import CommandSupport

/// The error with which `serve` ends if accepted records could not be written to the store.
struct StoreLoss: Error, CustomStringConvertible {
    let records: UInt64

    var description: String {
        "the store could not take \(counted(records, noun: "record")) of the journal; what was not "
            + "acknowledged, clients send it again"
    }
}
