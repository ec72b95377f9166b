internal import Foundation

/// The browser of the person at this machine.
package enum Browser {
    /// Opens a page where there is a desktop; elsewhere there is nobody to see it.
    package static func open(_ url: String) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", url]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Without it the address, which is printed, is all there is.
        try? process.run()
    }
}
