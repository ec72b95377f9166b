/// The version of this release: the only place that states it.
///
/// `--version`, the log, the metrics, the dashboard and the results of benchmarks take it from
/// here. The Kubernetes manifests repeat it; `test_release.py` compares them with it. The wire
/// protocol, the store and recordings have versions of their own.
package enum Release {
    /// The version of both programs.
    package static let version = "0.9.0"

    /// The router's name and version, for people.
    package static let router = "reload-router \(version)"
}
