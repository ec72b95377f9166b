internal import ReloadModel

/// A kind that is installed, as `WidgetIndex` keeps it.
struct InstalledKind {
    var app: AppID
    var name: String
    /// Nil if the kind has no rule: each parameter of a widget must then equal the field of its
    /// name.
    var rule: EventPattern?
}
