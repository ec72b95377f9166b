import LoadReporting

extension LabServer {
    /// Starts the router without an admin server, with the text of an app file.
    static func router(
        apps: String,
        store: BenchStoreSettings = .memory,
        flags: [String] = [],
        log: String? = nil
    ) throws -> LabServer {
        try router(apps: apps, flags: ["--admin", "none"] + store.flags + flags, log: log)
    }

    /// Starts one of the reference servers in C, with the files of its certificate.
    static func reference(_ server: BenchReference, files: [String] = []) throws -> LabServer {
        try LabServer(
            "the reference \(server.rawValue)",
            program: .lab,
            arguments: ["bench", "part", "reference", server.rawValue] + files
        )
    }
}
