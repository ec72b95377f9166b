/// The version of this release.
package enum Release {
    /// The version of both programs. The wire protocol has a version of its own.
    package static let version = "0.1.0"
}
