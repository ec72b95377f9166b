/// What a push is to the fields of a widget that it matches.
package enum PushEffect: Sendable {
    /// It changes what the widget shows.
    case change
    /// It leaves all observed fields as they are.
    case unchanged
    /// It is older than another push of its key, by the field that the kind names as `newest`.
    case outdated
}
