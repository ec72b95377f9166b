import Foundation
import ReloadRouterKit
import WidgetKit

/// What the app and its widget extension share.
enum Game {
    /// The app group of both.
    static let group = "group.com.mygame"
    /// The kind of the widget that shows a character; the router's app file has it, too.
    static let characterKind = "com.mygame.character-detail"

    /// Reports to the router; the app and the extension each have one, and both remember in the
    /// same place.
    static let reporter = DeviceReporter(
        url: URL(string: "https://router.mygame.example:7412")!,
        app: "com.mygame",
        device: try device(),
        storage: .appGroup(group),
        token: { try await Backend.shared.deviceToken(for: device()) }
    )

    /// The name of this device, which stays the same while the app is installed: app and extension
    /// have it from the same file.
    @Sendable
    private static func device() throws -> String {
        let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        return try DeviceName.kept(in: folder)
    }

    /// The service that this build's push tokens are for: Xcode installs apps of the sandbox.
    static var environment: PushEnvironment {
        #if DEBUG
        .sandbox
        #else
        .production
        #endif
    }
}

extension SelectCharacter {
    /// The values by which a push finds the widgets that are configured so.
    var reported: [String: ConfigurationValue?] {
        ["character": ConfigurationValue(character)]
    }
}

extension WidgetInfo {
    /// The widget as the router has to know it. WidgetKit gives it no name; the reporter does.
    var reported: ReportedWidget {
        ReportedWidget(
            kind: kind,
            family: "\(family)",
            configuration: widgetConfigurationIntent(of: SelectCharacter.self)?.reported ?? [:]
        )
    }
}
