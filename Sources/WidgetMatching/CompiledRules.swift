internal import ByteStorage
internal import ReloadModel

/// The declared kinds and their rules, flat: what matching reads of an app file.
///
///     kinds[kind] ─► conditions[first ..< first + count] ─► alternatives[first ..< first + count]
///
/// Made anew, as a whole, whenever the app file is read. The fields that the rules name are in use
/// in the vocabulary from `add` until `release`.
struct CompiledRules: ~Copyable {
    /// Most conditions of one rule: they are numbered in a byte.
    static var conditionLimit: Int { 255 }

    private var kinds = GrowingBuffer<CompiledKind>()
    private var conditions = GrowingBuffer<CompiledCondition>()
    private var alternatives = GrowingBuffer<CompiledAlternative>()
    private var literals = ByteArena()

    /// Bytes held from the system, used or not.
    var byteCount: Int {
        kinds.byteCount + conditions.byteCount + alternatives.byteCount + literals.byteCount
    }

    /// One above the highest kind.
    var kindEnd: Int { kinds.count }

    init() {}

    // MARK: - Reading

    /// The kind, if it is declared.
    @inline(__always)
    func kind(_ kind: KindID) -> CompiledKind {
        Int(kind) < kinds.count ? kinds[Int(kind)] : CompiledKind()
    }

    @inline(__always)
    func condition(_ index: UInt32) -> CompiledCondition { conditions[Int(index)] }

    @inline(__always)
    func alternative(_ index: UInt32) -> CompiledAlternative { alternatives[Int(index)] }

    /// The value of an alternative that is one of the rule itself.
    @inline(__always)
    func literal(_ alternative: CompiledAlternative) -> TypedValue {
        TypedValue(
            tag: alternative.tag,
            bytes: literals.view(alternative.content, alternative.length)
        )
    }

    // MARK: - Making

    /// Adds a kind and puts the fields of its rule to use.
    mutating func add(
        _ kind: KindID,
        of app: AppID,
        _ rule: MatchRule?,
        _ vocabulary: inout Vocabulary
    ) {
        kinds.extend(to: Int(kind) + 1, filling: CompiledKind())
        precondition(!kinds[Int(kind)].isDeclared, "the kind \(kind) is installed twice")
        precondition(kind < KindID.max, "kinds number below \(KindID.max)")
        var compiled = CompiledKind()
        compiled.isDeclared = true
        compiled.app = app
        compiled.firstCondition = UInt32(conditions.count)
        if let rule {
            precondition(
                rule.conditions.count <= Self.conditionLimit,
                "a rule has at most \(Self.conditionLimit) fields"
            )
            compiled.hasRule = true
            compiled.conditionCount = UInt8(rule.conditions.count)
            for condition in rule.conditions { add(condition, of: app, &vocabulary) }
        }
        kinds[Int(kind)] = compiled
    }

    /// Takes back the vocabulary's references, before the rules are dropped.
    mutating func release(_ vocabulary: inout Vocabulary) {
        for index in 0..<conditions.count { vocabulary.unuse(conditions[index].attribute) }
        for index in 0..<alternatives.count where alternatives[index].isParameter {
            vocabulary.names.release(alternatives[index].content)
        }
    }

    private mutating func add(
        _ condition: MatchCondition,
        of app: AppID,
        _ vocabulary: inout Vocabulary
    ) {
        // Alternatives first: they lie side by side.
        let first = UInt32(alternatives.count)
        var isOwn = true
        for alternative in condition.alternatives {
            let compiled = compile(alternative, &vocabulary)
            isOwn = isOwn && compiled.isParameter
            alternatives.append(compiled)
        }
        conditions.append(
            CompiledCondition(
                attribute: vocabulary.use(condition.path, of: app),
                firstAlternative: first,
                alternativeCount: UInt32(condition.alternatives.count),
                isOwn: isOwn
            )
        )
    }

    private mutating func compile(
        _ alternative: MatchAlternative,
        _ vocabulary: inout Vocabulary
    ) -> CompiledAlternative {
        switch alternative {
        case .string(let text): return literal(.string, Array(text.utf8))
        case .number(let text):
            return text.withByteView { text in
                withCanonicalNumber(text) { literal(.number, $0.array) }
            }
        case .boolean(let value): return literal(value ? .true : .false, [])
        case .null: return literal(.null, [])
        case .parameter(let name):
            return CompiledAlternative(
                tag: .name,
                content: vocabulary.names.acquire(name),
                length: 0
            )
        }
    }

    private mutating func literal(_ tag: ValueTag, _ bytes: [UInt8]) -> CompiledAlternative {
        precondition(bytes.count <= KeyIndex.valueLimit, "a value of \(bytes.count) bytes")
        return CompiledAlternative(
            tag: tag,
            content: bytes.withByteView { literals.store($0) },
            length: bytes.count
        )
    }
}

/// A kind as matching sees it.
struct CompiledKind: BitwiseCopyable {
    var isDeclared = false
    /// Without a rule, each parameter is a condition on the field of its name.
    var hasRule = false
    var conditionCount: UInt8 = 0
    var app: AppID = 0
    var firstCondition: UInt32 = 0
}

/// One condition: the field, and the values that it may have.
struct CompiledCondition: BitwiseCopyable {
    let attribute: AttributeID
    let firstAlternative: UInt32
    let alternativeCount: UInt32
    /// Whether all alternatives come from the widget's own configuration: such a condition tells
    /// widgets of a kind apart, and is the one to index them by.
    let isOwn: Bool
}

/// One alternative: a value of the rule, or a parameter of the widget.
struct CompiledAlternative: BitwiseCopyable {
    /// The type of the value; `name` for a parameter.
    let tag: ValueTag
    /// The block of the value, or the parameter's name.
    let content: UInt32
    let length: Int

    var isParameter: Bool { tag == .name }
}
