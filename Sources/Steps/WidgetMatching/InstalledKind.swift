internal import ReloadModel

/// A kind that is installed.
struct InstalledKind {
    var app: AppID
    var name: String
    var rule: EventPattern?
}
