import Basics
import Glibc
import RouterServer
import Testing

@Suite("The router's plan of the machine's memory")
struct MemoryPlanTests {
    private static func memory(_ gibibytes: Int) -> MachineMemory {
        MachineMemory(byteCount: gibibytes << 30, source: "the memory of the machine")
    }

    private static func memory(mebibytes: Int) -> MachineMemory {
        MachineMemory(byteCount: mebibytes << 20, source: "the memory of the machine")
    }

    /// Everything that has a limit in bytes.
    private static func sum(_ plan: MemoryPlan, hasStore: Bool, perConnection: Int) -> Int {
        let (limits, shares) = (plan.limits, plan.shares)
        let store = hasStore ? shares.journal + shares.answers + shares.table : 0
        return limits.storedBytes + limits.totalOutput + limits.totalInput
            + limits.connections * perConnection + limits.fanOutMatches * 8
            + limits.requestKeys * 45 + shares.pushes + 2 * shares.publishedBodies
            + shares.publishedHeads + 2 * shares.adminBodies + store
    }

    @Test(
        "fits on every machine, and leaves an eighth and the program's part",
        arguments: [128, 129, 200, 256, 512, 1_024, 2_048, 4_096, 65_536],
        [true, false]
    )
    func fits(mebibytes: Int, hasTLS: Bool) throws {
        for hasStore in [true, false] {
            let plan = try MemoryPlan(
                RouterLimits(),
                set: [],
                hasStore: hasStore,
                hasTLS: hasTLS,
                memory: Self.memory(mebibytes: mebibytes)
            )
            #expect(plan.warning == nil && plan.limits.problem == nil)
            let perConnection = hasTLS ? 17 << 10 : 1 << 10
            let sum = Self.sum(plan, hasStore: hasStore, perConnection: perConnection)
            #expect(sum <= (mebibytes << 20) * 7 / 8 - 64 << 20)
            #expect(plan.limits.storedBytes >= 4 << 20)
            #expect(plan.limits.connections >= (hasTLS ? 490 : 500))
            #expect(plan.shares.tableBuffer >= 512 << 10)
        }
    }

    @Test("gives nothing more than it ever needs on a large machine")
    func large() throws {
        for hasTLS in [true, false] {
            let plan = try MemoryPlan(
                RouterLimits(),
                set: [],
                hasStore: true,
                hasTLS: hasTLS,
                memory: Self.memory(8)
            )
            #expect(plan.shares == MemoryShares())
            var limits = plan.limits
            limits.storedBytes = RouterLimits().storedBytes
            limits.requestKeys = RouterLimits().requestKeys
            #expect(limits == RouterLimits())
        }
    }

    @Test("keeps memory for the TLS sessions of all connections that an operator wants")
    func security() throws {
        var limits = RouterLimits()
        limits.connections = 10_000
        let plans = try [false, true].map { hasTLS in
            try MemoryPlan(
                limits,
                set: .connections,
                hasStore: true,
                hasTLS: hasTLS,
                memory: Self.memory(8)
            )
        }
        #expect(plans.allSatisfy { $0.limits.connections == 10_000 })
        let kept = plans[0].limits.storedBytes - plans[1].limits.storedBytes
        #expect(kept >= 10_000 * 16_384 - (1 << 20) && kept <= 10_000 * 16_384 + (1 << 20))
    }

    @Test("refuses a machine on which no share is worth anything, and says how much is needed")
    func tooSmall() {
        do throws(MemoryPlan.Problem) {
            let memory = MachineMemory(byteCount: 64 << 20, source: "set by the setting memory")
            _ = try MemoryPlan(RouterLimits(), set: [], hasStore: true, memory: memory)
            Issue.record("it starts with 64 MiB")
        } catch {
            #expect(
                error.description
                    == "there are 67108864 bytes of memory (set by the setting memory), "
                    + "and the router needs at least 134217728; give it more, or set memory to how "
                    + "much there is"
            )
        }
    }

    @Test("refuses limits that were set and do not fit, and names what to lower")
    func refused() {
        var limits = RouterLimits()
        limits.storedBytes = 3 << 30
        do throws(MemoryPlan.Problem) {
            _ = try MemoryPlan(limits, set: .storedTotal, hasStore: true, memory: Self.memory(2))
            Issue.record("3 GiB are taken of 2")
        } catch {
            #expect(error.description.hasPrefix("stored-total (3221225472), output-total ("))
            #expect(
                error.description.hasSuffix(
                    "there are 2147483648 (the memory of the machine); lower the first three, or set "
                        + "memory to how much there is"
                )
            )
        }
    }

    @Test("keeps limits that were set and fit, and gives the rest to what is stored")
    func kept() throws {
        var limits = RouterLimits()
        limits.totalOutput = 1 << 30
        let memory = Self.memory(4)
        let plan = try MemoryPlan(limits, set: .outputTotal, hasStore: false, memory: memory)
        #expect(plan.limits.totalOutput == 1 << 30)
        let other = try MemoryPlan(RouterLimits(), set: [], hasStore: false, memory: memory)
        let less = other.limits.storedBytes - plan.limits.storedBytes
        #expect(abs(less - 768 << 20) <= 2 << 20)
        limits.totalOutput = 720 << 20
        limits.storedBytes = 100 << 20
        let tight = try MemoryPlan(
            limits,
            set: [.outputTotal, .storedTotal],
            hasStore: true,
            memory: Self.memory(2)
        )
        #expect(tight.limits.storedBytes == 100 << 20)
    }

    @Test("leaves the limits as they are if no setting says what there is")
    func unknown() throws {
        let plan = try MemoryPlan(RouterLimits(), set: [], hasStore: true, memory: nil)
        #expect(plan.limits == RouterLimits() && plan.warning == nil)
    }

    // MARK: - The machine

    /// A file system of a test's own, with these files.
    private static func root(_ files: [String: String]) -> String {
        var template = Array("/tmp/reload-router-memory-XXXXXX".utf8CString)
        let folder = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe String(cString: mkdtemp(buffer.baseAddress!))
        }
        for (path, text) in files {
            var made = folder
            for part in path.split(separator: "/").dropLast() {
                made += "/" + part
                mkdir(made, 0o700)
            }
            let file = unsafe fopen(folder + "/" + path, "w")!
            unsafe fputs(text, file)
            unsafe fclose(file)
        }
        return folder + "/"
    }

    private static let machine = "MemTotal:        4194304 kB\nMemFree:  1 kB\n"

    @Test("is of what the machine has")
    func machine() {
        let root = Self.root(["proc/meminfo": Self.machine, "proc/self/cgroup": "0::/\n"])
        #expect(
            MachineMemory.find(root: root)
                == MachineMemory(byteCount: 4 << 30, source: "the memory of the machine")
        )
        #expect(MachineMemory.find(root: root + "nowhere/") == nil)
    }

    @Test("is of the least that control groups allow, of either version")
    func groups() {
        let service = Self.root([
            "proc/meminfo": Self.machine, "proc/self/cgroup": "0::/a.slice/b.service\n",
            "sys/fs/cgroup/a.slice/memory.max": "1073741824\n",
            "sys/fs/cgroup/a.slice/b.service/memory.max": "max\n",
        ])
        #expect(MachineMemory.find(root: service)?.byteCount == 1 << 30)
        // In a container the group is the root of what is seen.
        let container = Self.root([
            "proc/meminfo": Self.machine, "proc/self/cgroup": "0::/../docker/5f\n",
            "sys/fs/cgroup/memory.max": "536870912\n",
        ])
        #expect(MachineMemory.find(root: container)?.byteCount == 512 << 20)
        let former = Self.root([
            "proc/meminfo": Self.machine,
            "proc/self/cgroup": "8:cpu,cpuacct:/x\n7:memory:/docker/5f\n",
            "sys/fs/cgroup/memory/docker/5f/memory.limit_in_bytes": "268435456\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        ])
        let found = MachineMemory.find(root: former)
        #expect(found?.byteCount == 256 << 20)
        #expect(found?.source.hasSuffix("docker/5f/memory.limit_in_bytes") == true)
    }
}
