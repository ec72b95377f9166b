/// What is stored of an app now, and how many sessions it has.
struct StoredAppCounts: BitwiseCopyable, Equatable {
    var devices = 0
    var widgets = 0
    /// The estimated memory of its devices and widgets (`StoredCost`), in bytes.
    var bytes = 0
    var sessions = 0
}
