package import StoreFormat

/// A step from one version of the store's format to the next.
///
/// A step may be interrupted and is then taken once more, so it must bear to find its own work done
/// in part. It ends with `seal` if it has written to the table.
package struct StoreMigration: Sendable {
    /// The version that it finds; it leaves the one behind it.
    package let version: UInt32
    package let apply: @Sendable (any StoreEngine) throws(StoreError) -> Void

    package init(
        from version: UInt32,
        apply: @escaping @Sendable (any StoreEngine) throws(StoreError) -> Void
    ) {
        self.version = version
        self.apply = apply
    }
}

/// The versions of the store's format that this router knows.
package struct StoreVersions: Sendable {
    /// The one that it writes.
    package let current: UInt32
    /// From older ones.
    package let migrations: [StoreMigration]

    package init(current: UInt32, migrations: [StoreMigration]) {
        precondition(current > 0, "versions begin with 1")
        self.current = current
        self.migrations = migrations
    }

    /// Version 1 is the first one, so there is nothing to migrate from.
    package static let known = StoreVersions(current: 1, migrations: [])
}
