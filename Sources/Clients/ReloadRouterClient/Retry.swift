/// Whether what the router has refused may be accepted when it is tried again, as its ERROR or
/// REJECT says.
public enum Retry: String, CaseIterable, Sendable {
    /// Something has to be changed first: the sender, its credential, or the app file.
    case no
    /// The same may be accepted later, with nothing changed.
    case later
    /// The same is accepted over a new connection.
    case reconnect
}
