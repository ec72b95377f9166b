import WidgetTimelines

@testable import WidgetFleet

/// A widget of a sample screen, with texts of its own.
func sampleWidget(
    _ id: String,
    _ family: String,
    _ displayName: String,
    _ lines: [TextLine],
    page: Int = 0
) -> WidgetSnapshot {
    let kind = displayName.lowercased().split(separator: " ").joined(separator: "-")
    var widget = WidgetSnapshot(
        id: id,
        kind: "com.mygame.\(kind)",
        displayName: displayName,
        family: family
    )
    widget.text = lines
    widget.page = page
    widget.isVisible = page == 0
    widget.policy = "after"
    (widget.budgetUsed, widget.budgetAllowance) = (12, 40)
    (widget.entries, widget.entryIndex) = (4, 1)
    return widget
}

/// A player's home screen, with every family on two pages.
func sampleScreen(
    device: String = "player-007",
    now: Int64 = 1_800_000_000_000
)
    -> HomeScreenSnapshot
{
    var screen = HomeScreenSnapshot(device: device, app: "com.mygame", now: now)
    (screen.page, screen.pages) = (0, 2)
    screen.widgets = [
        sampleWidget(
            "w1",
            "systemSmall",
            "Character",
            [
                TextLine("elf-42"), TextLine("62 %, level 7"), TextLine("Full in 2 hr, 3 min"),
            ]
        ),
        sampleWidget("w2", "systemSmall", "Guild Wall", [TextLine("Iron Wolves")]),
        sampleWidget(
            "w3",
            "systemMedium",
            "Dragon Watch",
            [
                TextLine("A dragon over the marsh"), TextLine("It lands in 15:05"),
                TextLine("Seen +2 minutes"),
            ]
        ),
        sampleWidget("w4", "accessoryCircular", "Character", [TextLine("62 %")]),
        sampleWidget(
            "w5",
            "accessoryRectangular",
            "Dragon Watch",
            [TextLine("Marsh"), TextLine("15:05")]
        ),
        sampleWidget(
            "w6",
            "systemLarge",
            "Leaderboard",
            (1...9).map { TextLine("\($0). player-\($0 * 17)") },
            page: 1
        ),
    ]
    screen.widgets[1].isPlaceholder = true
    screen.widgets[1].text.append(TextLine("12 posts today"))
    screen.widgets[2].isAsking = true
    screen.widgets[0].nextReload = now + 3_600_000
    screen.widgets[0].lastReload = .init(cause: "push", at: now - 60_000, changed: true)
    return screen
}
