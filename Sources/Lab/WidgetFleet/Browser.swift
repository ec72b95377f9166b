internal import Foundation

/// Opens pages in the user's browser.
package enum Browser {
    /// Opens a page if there is a desktop; does nothing elsewhere.
    package static func open(_ url: String) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", url]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Errors are ignored: the address is printed as well.
        try? process.run()
    }
}
