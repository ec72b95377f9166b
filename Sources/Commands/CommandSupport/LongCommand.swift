package import ArgumentParser

/// A command that may take more than two seconds. While it runs, `Progress` says so.
package protocol LongCommand: ParsableCommand {
    /// What it does, in words that follow its name: `reading all records`. Nil if it takes no time
    /// with its present options.
    var activity: String? { get }
}
