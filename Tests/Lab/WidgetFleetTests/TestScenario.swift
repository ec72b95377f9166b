import Foundation

@testable import WidgetFleet

/// A scenario of the app's widgets, with more members than every one needs; those of `members` come
/// in place of the usual ones.
func testScenario(_ members: [String: Any] = [:]) throws(ScenarioError) -> FleetScenario {
    var json: [String: Any] = [
        "name": "test", "app": "com.mygame", "bundle": "game", "devices": 10, "seconds": 10,
        "values": ["character": ["prefix": "elf-", "count": 20], "hp": ["from": 1, "to": 99]],
        "widgets": [["kind": "k", "configuration": ["character": "${character}"]]],
    ]
    json.merge(members) { $1 }
    let data = try? JSONSerialization.data(withJSONObject: json)
    return try FleetScenario(json: data ?? Data())
}

/// What is wrong with a scenario; nil if nothing is.
func problem(_ json: String) -> String? {
    do throws(ScenarioError) {
        _ = try FleetScenario(json: Data(json.utf8))
        return nil
    } catch {
        return error.description
    }
}
