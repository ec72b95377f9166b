import Basics
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("The course of a run")
struct FleetDirectorTests {
    private static let start: WallTime = 1_780_272_000_000

    private func director(seconds: Double = 3, ramp: Double = 2) throws -> FleetDirector {
        FleetDirector(try testScenario(["seconds": seconds, "ramp": ramp]), now: Self.start)
    }

    private func step(
        _ director: inout FleetDirector,
        _ length: Milliseconds,
        isComplete: Bool = true,
        isQuiet: Bool = false
    ) -> FleetDirector.Step? {
        director.step(at: Self.start + length, isComplete: isComplete, isQuiet: isQuiet)
    }

    @Test func `It begins when every widget has a timeline, and lasts as long as is said`() throws {
        var director = try director()
        #expect(step(&director, 5_000, isComplete: false) == nil)
        #expect(step(&director, 5_010) == .begin)
        #expect(director.phase == .running && director.startedAt == Self.start + 5_010)
        #expect(director.nextWake == Self.start + 6_010)
        #expect(step(&director, 6_009, isQuiet: true) == nil)
        for second in 1...3 {
            #expect(step(&director, 5_010 + .seconds(Int64(second))) == .endSecond)
        }
        #expect(director.phase == .ending)
    }

    @Test func `It begins without widgets that never get a timeline`() throws {
        var director = try director()
        let patience = 2_000 + FleetDirector.patience
        #expect(director.nextWake == Self.start + patience)
        #expect(step(&director, patience - 1, isComplete: false) == nil)
        #expect(step(&director, patience, isComplete: false) == .begin)
    }

    @Test func `Seconds that are late are counted one by one`() throws {
        var director = try director()
        _ = step(&director, 0)
        #expect(step(&director, 2_500) == .endSecond)
        #expect(step(&director, 2_500) == .endSecond)
        #expect(step(&director, 2_500) == nil)
        #expect(director.nextWake == Self.start + 3_000)
    }

    @Test func `A part of a second counts as a whole one`() throws {
        var director = try director(seconds: 1.2)
        _ = step(&director, 0)
        #expect(step(&director, 1_000) == .endSecond)
        #expect(director.phase == .running)
        #expect(step(&director, 2_000) == .endSecond)
        #expect(director.phase == .ending)
    }

    @Test func `It is over when nothing is under way, or has been for long enough`() throws {
        var quiet = try director(seconds: 1)
        _ = (step(&quiet, 0), step(&quiet, 1_000))
        var busy = quiet
        #expect(step(&quiet, 1_010, isQuiet: true) == .over)
        #expect(step(&quiet, 99_000, isQuiet: true) == nil)
        #expect(quiet.nextWake == .max && quiet.phase == .over)
        #expect(step(&busy, 1_000 + FleetDirector.ending - 1) == nil)
        #expect(step(&busy, 1_000 + FleetDirector.ending) == .over)
    }
}
