import CAllocationCounter

/// How many allocations this thread makes meanwhile.
func allocations(_ body: () -> Void) -> Int {
    allocation_counter_start()
    body()
    return Int(allocation_counter_stop())
}
