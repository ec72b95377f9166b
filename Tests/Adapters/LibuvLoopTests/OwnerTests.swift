import Testing

@Suite("The owner of a handle")
struct OwnerTests {
    @Test(
        "that nothing else refers to is called, and is freed once its handle is closed",
        arguments: OwnedHandle.Kind.allCases,
        [false, true]
    )
    func droppedWhileOpen(kind: OwnedHandle.Kind, closesInCallback: Bool) throws {
        let stage = try OwnerStage()
        let handle = try OwnedHandle(kind, on: stage)
        stage.closesInCallback = closesInCallback
        #expect(handle.owner != nil)
        try handle.provokeCall()
        try stage.run { stage.callCount > 0 }
        handle.close()
        try stage.end()
        #expect(handle.owner == nil)
    }

    @Test(
        "that is dropped while its handle closes is freed when it has closed",
        arguments: OwnedHandle.Kind.allCases
    )
    func droppedWhileClosing(kind: OwnedHandle.Kind) throws {
        let stage = try OwnerStage()
        let handle = try OwnedHandle(kind, on: stage)
        handle.close()
        // A lookup that is closed calls its owner no more, so it refers to it no more.
        #expect((handle.owner == nil) == (kind == .lookup))
        try stage.end()
        #expect(handle.owner == nil)
        #expect(stage.callCount == 0)
        #expect(stage.closedCount == (kind == .connection ? 1 : 0))
    }

    @Test("is freed if its handle could not be opened")
    func refused() throws {
        let stage = try OwnerStage()
        #expect(stage.ownersOfRefusedHandles() == [])
        try stage.end()
    }
}
