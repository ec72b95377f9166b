import CommandSupport

// The commands of the router that may take more than two seconds, and what they do meanwhile.

extension Check: LongCommand {
    var activity: String? { "reading the files" }
}

extension Match: LongCommand {
    var activity: String? { "judging the pairs" }
}

extension Explain: LongCommand {
    var activity: String? { to == nil ? "running a router in simulated time" : nil }
}

extension CreateStore: LongCommand {
    var activity: String? { "creating the store" }
}

extension CheckStore: LongCommand {
    var activity: String? { "reading all records" }
}

extension BackUpStore: LongCommand {
    var activity: String? { "copying and checking all records" }
}

extension RepairStore: LongCommand {
    var activity: String? { "reading all records" }
}

extension DumpStore: LongCommand {
    var activity: String? { "reading all records" }
}

extension MeasureStore: LongCommand {
    var activity: String? { "reading all records" }
}

extension Push: LongCommand {
    var activity: String? { file.map { "pushing \($0)" } }
}
