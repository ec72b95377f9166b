/// Writes numbers with their units, for people.
package enum FigureText {
    /// A whole number with its digits in groups of three: `1,234,567`.
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// All digits before the decimal point, and one decimal below 100, two below 10, or three below
    /// 0.01: `1,234`, `12.3`, `0.42`, `0.005`; "–" if the number is not finite or very large.
    package static func short(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e15 else { return "–" }
        if number == 0 { return "0" }
        let magnitude = abs(number)
        if magnitude >= 99.95 { return grouped(Int(number.rounded())) }
        let places = magnitude >= 9.995 ? 1 : magnitude >= 0.01 ? 2 : 3
        return fixed(number, places: places)
    }

    /// A number of events per second, like `short`: `12.3/s`.
    package static func rate(_ number: Double) -> String { short(number) + "/s" }

    /// A time given in ms, in the unit that suits it: `0.42 ms`, `1.73 s`, `12 min 5 s`, `3 h 20
    /// min`.
    package static func milliseconds(_ number: Double) -> String {
        if number < 999.5 { return short(number) + " ms" }
        return seconds(number / 1_000)
    }

    /// A time given in s, in the units that suit it: `1.73 s`, `12 min 5 s`, `3 h 20 min`, `2 d 4
    /// h`.
    package static func seconds(_ number: Double) -> String {
        guard number.isFinite, number < 1e12 else { return "–" }
        if number < 59.95 { return short(number) + " s" }
        let whole = Int(number.rounded())
        if whole < 3_600 { return pair(whole / 60, unit: "min", rest: whole % 60, smallUnit: "s") }
        if whole < 86_400 {
            return pair(whole / 3_600, unit: "h", rest: whole % 3_600 / 60, smallUnit: "min")
        }
        return pair(whole / 86_400, unit: "d", rest: whole % 86_400 / 3_600, smallUnit: "h")
    }

    /// A time given in ns, in the unit that suits it: `812 ns`, `1.4 µs`, and then as
    /// `milliseconds`.
    package static func nanoseconds(_ number: Double) -> String {
        if number < 999.5 { return short(number) + " ns" }
        return number < 999_500 ? short(number / 1e3) + " µs" : milliseconds(number / 1e6)
    }

    /// A number of bytes: `812 bytes`, `14.2 KB`, `3.5 MB`, where 1 KB is 1,000 bytes.
    package static func bytes(_ number: Int) -> String {
        if number < 10_000 { return grouped(number) + " bytes" }
        let kilo = Double(number) / 1_000
        return kilo < 999.5 ? short(kilo) + " KB" : short(kilo / 1_000) + " MB"
    }

    /// The share in per cent; empty if `whole` is 0.
    package static func percent(_ part: Int, of whole: Int) -> String {
        whole == 0 ? "" : short(100 * Double(part) / Double(whole)) + " %"
    }

    /// A number with its unit, and a number with a smaller unit, which is left out if it is 0.
    private static func pair(
        _ first: Int,
        unit: String,
        rest: Int,
        smallUnit small: String
    ) -> String {
        rest == 0 ? "\(first) \(unit)" : "\(first) \(unit) \(rest) \(small)"
    }

    /// A number with `places` decimals.
    ///
    /// Halves are rounded away from zero. NaN becomes `nan`, as plotting programs read it.
    package static func fixed(_ number: Double, places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (abs(number) * scale).rounded()
        guard scaled < 9e15 else { return "\(number)" }
        let digits = Int(scaled)
        let sign = number < 0 && digits != 0 ? "-" : ""
        if places == 0 { return sign + String(digits) }
        let rest = String(digits % Int(scale))
        return sign + String(digits / Int(scale)) + "."
            + String(repeating: "0", count: places - rest.count) + rest
    }
}
