internal import Basics

extension Shapes {
    /// Asserts that all shapes are found by kind and layout, that their widgets are counted, and
    /// that their programs are trees.
    func checkInvariants(references: [ShapeID: Int]) {
        assert(index.count == shapes.count - formerCount, "the tables of shapes differ in size")
        assert(references.count == shapes.count, "a shape has no widgets")
        var byteCount = 0
        for (number, count) in references {
            let shape = self[number]
            assert(Int(shape.references) == count, "widgets of shape \(number)")
            let latest = shape.successor == .none ? number : shape.successor
            assert(find(shape.kind, layout: shape.layout) == latest, "shape \(number) is not found")
            assert(shape.former == .none || self[shape.former].successor == number, "\(number)")
            if shape.program == .none {
                assert(shape.use != .rule, "shape \(number) has no compiled rule")
                assert(shape.space == .none, "shape \(number) makes keys without a rule")
                continue
            }
            program(number).checkInvariants()
            for position in 0..<Int(shape.equalityCount) {
                let node = equality(of: number, at: position)
                assert(program(number)[node].form == .field, "equality \(node) is no field")
            }
            byteCount += ByteArena.size(ofBlock: shape.programByteCount)
        }
        assert(programs.usedByteCount == byteCount, "programs of shapes that are gone are kept")
    }
}

extension PatternProgram {
    /// Asserts that the nodes are a tree: each ends within the node around it.
    func checkInvariants() {
        assert(count > 0 && end(0) == count, "the root has all nodes below it")
        var ends: [Int] = []
        for index in 0..<count {
            while let last = ends.last, last <= index { ends.removeLast() }
            let end = end(index)
            assert(end > index && end <= ends.last ?? count, "node \(index) ends at \(end)")
            if self[index].form == .field {
                assert(end > index + 1, "field \(index) has no test")
                assert(!self[index].attribute.isRoot, "field \(index) has no attribute")
            }
            ends.append(end)
        }
    }
}
