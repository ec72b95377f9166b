internal import HTTPServing

/// How much memory each part of the server may take, in bytes, apart from what `RouterLimits` sets.
package struct MemoryShares: Equatable, Sendable {
    /// The journal that waits while the disk fails; inputs stop at half of it.
    package var journal = 512 << 20
    /// Answers awaiting commit.
    package var answers = 64 << 20
    /// The table's changes that wait for the disk, and RocksDB's buffers.
    package var table = 288 << 20
    /// Payloads of pushes over HTTP that are under way.
    package var pushes = 64 << 20
    /// Bodies of publishers and devices over HTTP that are on their way; what they take while they
    /// grow is as much again.
    package var publishedBodies = 64 << 20
    /// Heads of requests of publishers and devices over HTTP, which come before any credential.
    package var publishedHeads = PublishSettings.limits.connections * bytesOfHead
    /// The same as `publishedBodies`, of requests to the admin server.
    package var adminBodies = 64 << 20

    /// The shares of a large machine: what each part needs at most.
    package init() {}

    /// Bytes of a connection over HTTP whose head is not complete: its array grows by doubling.
    private static var bytesOfHead: Int { 2 * PublishSettings.limits.connectionMemory }

    /// The connections over HTTP that there may be at a time.
    package var publishedConnections: Int { max(64, publishedHeads / Self.bytesOfHead) }

    /// The buffers among which RocksDB's part of `table` is divided, and one for the changes that
    /// wait for them.
    private static var tableBuffers: Int { 9 }

    /// The size of one of RocksDB's buffers.
    package var tableBuffer: Int { table / Self.tableBuffers }
}
