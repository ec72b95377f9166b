// What nightguard's extension needs of its app: values that do not change, and colours by them.
import Foundation
import Intents
import SwiftUI
import WidgetKit

struct NightguardTimelineProvider: TimelineProvider {
    let displayName: String

    func placeholder(in context: Context) -> NightscoutDataEntry { .previewValues }

    func getSnapshot(
        in context: Context,
        completion: @escaping (NightscoutDataEntry) -> Void
    ) {
        completion(.previewValues)
    }

    func getTimeline(
        in context: Context,
        completion: @escaping (Timeline<NightscoutDataEntry>) -> Void
    ) {
        completion(Timeline(entries: [.previewValues], policy: .never))
    }
}

final class ConfigurationIntent: INIntent {}

struct NightguardLiveActivity: Widget {
    var body: some WidgetConfiguration { EmptyWidgetConfiguration() }
}

struct NightguardDisplaySnapshot {
    struct Value {
        let value: String
        let valueColorRed, valueColorGreen, valueColorBlue, timestamp: Double
        let delta, arrow: String
    }

    let date: Date
    let sgv, bgdeltaString, bgdeltaArrow, battery, iob, cob: String
    let bgdelta: Double
    let timestamp, snoozedUntilTimestamp: TimeInterval
    let sgvColorRed, sgvColorGreen, sgvColorBlue: Double
    let bgdeltaColorRed, bgdeltaColorGreen, bgdeltaColorBlue: Double
    let lastBGValues: [Value]
}

enum UIColorChanger {
    static func getBgColor(_ value: String) -> UIColor { .nightguardGreen() }
    static func getDeltaLabelColor(_ delta: Float) -> UIColor { .white }
    static func getTimeLabelColor(fromDouble time: Double) -> UIColor { .nightguardGreen() }
}

extension UIColor {
    static func nightguardGreen() -> UIColor { UIColor(red: 0, green: 1, blue: 0.5, alpha: 1) }
}

func calculateAgeInMinutes(from time: NSNumber) -> String {
    calculateAgeInMinutes(fromDouble: time.doubleValue)
}

func calculateAgeInMinutes(fromDouble time: Double) -> String {
    "\(Int((Date.now.timeIntervalSince1970 - time / 1_000) / 60))"
}
