import Glibc
import ReloadModel
import RouterServer
import Testing

@Suite("The router's plan of the machine's memory")
struct MemoryPlanTests {
    private static func memory(_ gibibytes: Int) -> MachineMemory {
        MachineMemory(byteCount: gibibytes << 30, source: "the memory of the machine")
    }

    private static func sum(_ limits: RouterLimits) -> Int {
        limits.storedBytes + limits.totalOutput + limits.totalInput
    }

    @Test(
        "fits on every machine from 2 GiB on, if the operator has set nothing",
        arguments: [2, 3, 4, 8, 64]
    )
    func defaults(gibibytes: Int) throws {
        let memory = Self.memory(gibibytes)
        let plan = try MemoryPlan(RouterLimits(), set: [], hasStore: true, memory: memory)
        #expect(plan.warning == nil && plan.limits.problem == nil)
        #expect(Self.sum(plan.limits) + (1_120 << 20) <= memory.byteCount / 8 * 7)
        #expect(plan.limits.storedBytes >= 400 << 20)
        #expect(plan.limits.totalOutput == min(256 << 20, memory.byteCount / 16))
    }

    @Test("keeps memory for the TLS sessions of all connections")
    func security() throws {
        var limits = RouterLimits()
        limits.connections = 10_000
        let (plain, secure) = (
            try MemoryPlan(limits, set: [], hasStore: true, memory: Self.memory(8)),
            try MemoryPlan(limits, set: [], hasStore: true, hasTLS: true, memory: Self.memory(8))
        )
        let kept = plain.limits.storedBytes - secure.limits.storedBytes
        #expect(kept >= 10_000 * 16_384 && kept <= 10_000 * 16_384 + (1 << 20))
    }

    @Test("starts on a small machine all the same, and warns", arguments: [256, 512, 1_024])
    func small(mebibytes: Int) throws {
        let memory = MachineMemory(byteCount: mebibytes << 20, source: "the memory of the machine")
        let plan = try MemoryPlan(RouterLimits(), set: [], hasStore: true, memory: memory)
        #expect(plan.limits.problem == nil)
        #expect(plan.limits.storedBytes == 64 << 20)
        #expect(plan.warning?.contains("the memory of the machine") == true)
    }

    @Test("refuses limits that were set and do not fit, and names what to lower")
    func refused() {
        var limits = RouterLimits()
        limits.storedBytes = 3 << 30
        do throws(MemoryPlan.Problem) {
            _ = try MemoryPlan(limits, set: .storedTotal, hasStore: true, memory: Self.memory(2))
            Issue.record("3 GiB are taken of 2")
        } catch {
            #expect(
                error.description == "stored-total (3221225472), output-total (134217728), "
                    + "input-total (134217728) and what the router needs besides (1174405120) are "
                    + "4664066048 bytes together, and there are 2147483648 (the memory of the "
                    + "machine); lower the first three, or set memory to how much there is"
            )
        }
    }

    @Test("keeps limits that were set and fit, and gives the rest to what is stored")
    func kept() throws {
        var limits = RouterLimits()
        limits.totalOutput = 1 << 30
        let plan = try MemoryPlan(
            limits,
            set: .outputTotal,
            hasStore: false,
            memory: Self.memory(4)
        )
        #expect(plan.limits.totalOutput == 1 << 30)
        #expect(plan.limits.storedBytes == (4_096 - 512 - 288 - 1_024 - 256) << 20)
        limits.totalOutput = 720 << 20
        limits.storedBytes = 100 << 20
        let tight = try MemoryPlan(
            limits,
            set: [.outputTotal, .storedTotal],
            hasStore: true,
            memory: Self.memory(2)
        )
        #expect(tight.limits.storedBytes == 100 << 20)
        #expect(tight.warning != nil, "it fits unless the disk fails for long")
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
