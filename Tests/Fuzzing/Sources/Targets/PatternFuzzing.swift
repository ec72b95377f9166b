import Basics
import EventPatterns

/// A pattern is refused with a place, or means what its canonical text means.
final class PatternFuzzing: FuzzTarget {
    func run(_ input: ByteView) {
        input.withCopy(check)
    }

    private func check(_ text: ByteView) {
        let pattern: EventPattern
        do throws(PatternError) {
            pattern = try PatternParser.parse(text)
        } catch {
            require((0...text.count).contains(error.offset), "an error at \(error.offset)")
            require(!error.message.isEmpty, "an error without a message")
            return
        }
        let written = PatternPrinter.text(pattern)
        do throws(PatternError) {
            let again = try parse(written)
            require(again == pattern, "\(written) means something else")
            require(PatternPrinter.text(again) == written, "\(written) is written otherwise")
        } catch {
            // The canonical text may be longer than a pattern may be.
            require(error.code == .limit, "\(written) is refused: \(error)")
        }
    }
}
