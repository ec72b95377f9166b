import CommandSupport

/// The error with which `serve` ends if accepted records could not be written to the store.
struct StoreLoss: Error, CustomStringConvertible {
    let records: UInt64

    var description: String {
        "the store could not keep \(counted(records, noun: "record")) of the journal; "
            + "clients send again what was not acknowledged"
    }
}
