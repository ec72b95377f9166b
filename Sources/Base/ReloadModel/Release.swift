/// The version of this release: the only place that states it.
///
/// `--version`, the log, WELCOME, the metrics, the dashboard and the results of benchmarks take it
/// from here, and `deploy/release` reads it from this file. The Helm chart, the Kubernetes
/// manifests and CHANGELOG.md repeat it; `test_release.py` compares them with it. The wire
/// protocol, the store and recordings have versions of their own.
package enum Release {
    /// The version of both programs.
    package static let version = "0.9.0"

    /// The router's name and version, as clients see them.
    package static let router = "reload-router \(version)"
}
