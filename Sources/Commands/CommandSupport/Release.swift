/// What this is a release of.
package enum Release {
    /// Of the programs; the wire protocol has a version of its own.
    package static let version = "0.1.0"
}
