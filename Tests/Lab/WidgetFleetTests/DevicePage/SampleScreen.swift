@testable import WidgetFleet

/// A player's home screen, of which no more is said than where a change shows.
func sampleScreen(
    device: String = "player-007",
    now: Int64 = 1_800_000_000_000,
    online: Bool = true,
    app: String = "com.mygame"
) -> DeviceScreen {
    DeviceScreen(
        device: device,
        pages: 2,
        now: now,
        content: #"{"app":"\#(app)","online":\#(online)}"#
    )
}
