import APNsProtocol
import Basics
import RouterCore
import Testing

@testable import RouterServer

@Suite("A service of APNs")
struct APNsServiceTests {
    private let service = APNsService(APNsProvider(.key("K", team: "T")), environment: .production)

    private func lanes(_ count: Int) -> [APNsLane] {
        (0..<count).map { app in
            APNsLane(
                APNsLaneID(
                    app: AppID(rawValue: UInt16(app)),
                    environment: .production,
                    channel: .widgets
                ),
                of: service,
                app: "com.game\(app)",
                settings: APNsSettings(team: "T", key: "K", bundle: "com.game\(app)")
            )
        }
    }

    /// Plays a tick with room for some pushes.
    ///
    /// - Parameters:
    ///   - room: how many pushes are sent.
    ///   - left: how many pushes each lane has; what is sent is taken off.
    ///   - lanes: the lanes, by the numbers of their apps.
    private func tick(_ room: Int, left: inout [Int], of lanes: [APNsLane]) {
        for (number, lane) in lanes.enumerated() where left[number] > 0 { _ = service.wait(lane) }
        service.beginRotation()
        var count = 0
        while count < room, let lane = service.nextLane {
            let number = lane.lane.app.index
            if left[number] == 0 {
                service.removeFromRotation()
                continue
            }
            left[number] -= 1
            count += 1
            service.rotate()
        }
        service.endRotation()
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `serves its lanes by turns, however few pushes there is room for`(room: Int) {
        let lanes = lanes(5)
        var left = [1_000_000, 3, 1_000_000, 500, 1_000_000]
        var ticks = 0
        while left[3] > 0 && ticks < 10_000 {
            tick(room, left: &left, of: lanes)
            ticks += 1
        }
        let sent = [left[0], left[2], left[4]].map { 1_000_000 - $0 }
        #expect(left[1] == 0 && left[3] == 0)
        #expect(sent.allSatisfy { (450...550).contains($0) }, "\(sent)")
    }

    @Test func `says whether lanes have more than there was room for`() {
        let lanes = lanes(3)
        #expect(service.nextLane == nil)
        for (number, lane) in lanes.enumerated() {
            let isFirst = service.wait(lane)
            #expect(isFirst == (number == 0))
        }
        service.beginRotation()
        service.removeFromRotation()
        service.rotate()
        let hasMore = service.endRotation { _ in true }
        #expect(hasMore && service.nextLane == nil)
        let hasNone = service.endRotation { _ in true }
        #expect(!hasNone)
    }

    @Test func `shares its provider with the other service of the credential alone`() {
        let (first, other) = (APNsCredential.key("A", team: "T"), APNsCredential.certificate("A"))
        var registry = APNsServiceRegistry([])
        let sandbox = registry.service(of: first, in: .sandbox)
        let production = registry.service(of: first, in: .production)
        let certificate = registry.service(of: other, in: .production)
        #expect(sandbox !== production && sandbox.provider === production.provider)
        #expect(certificate.provider !== production.provider)
        #expect(registry.services.count == 3)
        var next = APNsServiceRegistry(registry.services)
        let again = next.service(of: first, in: .sandbox)
        #expect(again === sandbox && next.services.count == 3)
    }
}
