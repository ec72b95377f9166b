import CommandSupport

/// What has been taken in and could not be written before the end.
struct StoreLoss: Error, CustomStringConvertible {
    let records: UInt64

    var description: String {
        "the store could not take \(counted(records, "record")) of the journal; what was not "
            + "acknowledged, clients send it again"
    }
}
