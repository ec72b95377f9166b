/// What is stored of an app now.
struct StoredAppCounts: BitwiseCopyable {
    var devices = 0
    var widgets = 0
}
